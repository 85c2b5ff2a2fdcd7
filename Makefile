# make run: open the app.  make test: all tests.  make lint: style and types.
# Another Python: make run PYTHON=/path/to/python3.12.  Another port: make run PORT=8502.
BIN = .venv/bin
PORT = 8501
PYTEST = $(BIN)/python -m pytest
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run test lint screenshots clean
.DEFAULT_GOAL := run

run: .venv/core.stamp
	@echo "qaviz: serving on http://127.0.0.1:$(PORT) (Ctrl+C stops it)"
	@$(BIN)/python -m qaviz app --port $(PORT)

test: .venv/full.stamp
	@echo "qaviz: all tests, the browser's too (tests without Chromium are skipped and say so)"
	@$(PYTEST) -n 3 --dist loadfile $(PYTEST_ARGS) || if [ $$? -ne 1 ]; then exit 2; else \
	  echo "qaviz: what failed once more, one by one: on a busy machine something may have come too late"; \
	  $(PYTEST) --last-failed --last-failed-no-failures none $(PYTEST_ARGS); fi

lint: .venv/full.stamp
	@echo "qaviz: style (ruff) and types (mypy strict)"
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

screenshots: .venv/full.stamp
	@echo "qaviz: pictures of every page into artefacts/screenshots"
	@$(BIN)/python -m benchmarks.screenshots $(SCREENSHOTS_ARGS)

.venv/core.stamp: requirements-core.txt
	@.ci/venv 13
	@echo "qaviz: installing what the app needs into .venv (once, about half a minute)"
	@$(PIP) -r requirements-core.txt
	@touch $@

# fmeval has no wheels for Python 3.13.
.venv/full.stamp: requirements.txt requirements-core.txt requirements-postgresql.txt
	@.ci/venv 12
	@echo "qaviz: installing everything, FMEval and torch too, into .venv (once, some minutes)"
	@$(PIP) -r requirements.txt
	@touch .venv/core.stamp $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache artefacts
