# make run: open the app.  make test: all tests.  make lint: style and types.
# Another Python: make run PYTHON=python3.12
CORE_PYTHONS = 3.11, 3.12 or 3.13
FULL_PYTHONS = 3.11 or 3.12

first_that_works = $(firstword $(foreach p,python3 python3.12 python3.11,$(shell $(p) -c 'import sys; sys.exit(not ((3, 11) <= sys.version_info[:2] <= (3, $(1))))' 2>/dev/null && echo $(p))))
PYTHON ?= $(or $(call first_that_works,12),$(call first_that_works,13))
VENV = .venv
BIN = $(VENV)/bin
PORT = 8501
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run test lint bench clean
.DEFAULT_GOAL := run

run: $(VENV)/core.stamp
	@echo "qaviz: serving on http://127.0.0.1:$(PORT) (Ctrl+C stops it)"
	@$(BIN)/python -m qaviz app --port $(PORT)

test: $(VENV)/full.stamp
	@echo "qaviz: all tests, the browser's too (tests without Chromium are skipped and say so)"
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/full.stamp
	@echo "qaviz: style (ruff) and types (mypy strict)"
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

$(VENV)/core.stamp: requirements-core.txt
	@$(MAKE) --no-print-directory venv NEWEST=13 SAYS="$(CORE_PYTHONS)"
	@echo "qaviz: installing what the app needs into $(VENV) (once, about half a minute)"
	@$(PIP) -r requirements-core.txt
	@touch $@

$(VENV)/full.stamp: requirements.txt requirements-core.txt
	@$(MAKE) --no-print-directory venv NEWEST=12 SAYS="$(FULL_PYTHONS)"
	@echo "qaviz: installing everything, FMEval and torch too, into $(VENV) (once, some minutes)"
	@$(PIP) -r requirements.txt
	@touch $(VENV)/core.stamp $@

.PHONY: venv
venv:
	@test -n "$(PYTHON)" || { echo "qaviz: found no Python that works here; expected $(SAYS). Install one, then say: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) 2>/dev/null || { echo "qaviz: $(PYTHON) could not make a virtual environment; expected Python $(SAYS) with the venv module (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@$(BIN)/python -c 'import sys; sys.exit(not ((3, 11) <= sys.version_info[:2] <= (3, $(NEWEST))))' || { echo "qaviz: $(VENV) holds $$($(BIN)/python --version); expected Python $(SAYS). Remove $(VENV), then say: make PYTHON=/path/to/python3.12" >&2; exit 1; }

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache artefacts
