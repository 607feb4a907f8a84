.DEFAULT_GOAL := help
SHELL := /bin/bash

VENV := .venv
BIN := $(VENV)/bin
# The first interpreter that runs and is 3.11 or newer; version managers leave names behind that do not run.
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
# Tests on the JVM run in two processes that take equally long: these folders in one, all others in the other.
JVM_CONNECT := tests/connect tests/integration
JVM_TESTS := spark or services or slow
SIDE_BY_SIDE := $(BIN)/python -m tools.side_by_side
# How much `make soak` does: seconds of random queries, kills of a running job, changes to a fixed set of keys.
SECONDS ?= 600
KILLS ?= 50
CHANGES ?= 10000000
LOCK := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-annotate --custom-compile-command "make lock" --quiet
PIP := $(VENV)/bin/python -m pip install --disable-pip-version-check

.PHONY: help install develop demo test lint types imports format fast jvm soak docs bench lock wheel clean distclean

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  \033[1m%-10s\033[0m %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The last two do nothing when the cache has everything, and notice when somebody deleted it.
install: $(VENV)/stamp-headrace ## Create .venv with the locked packages, download jars, compile the operators
	@$(BIN)/headrace dev fetch > /dev/null
	@$(BIN)/headrace dev warm > /dev/null || echo "jobs start slower until 'headrace dev warm' succeeds"

develop: $(VENV)/stamp-develop install ## Like install, plus packages for tests, checks and benchmarks

demo: install ## Copy PostgreSQL tables to S3 through Kafka, on local services, and compare the result
	$(BIN)/headrace demo pagila

test: develop ## Run all checks and all tests except soak
	@$(SIDE_BY_SIDE) "fast=$(MAKE) --no-print-directory fast" "checks=$(MAKE) --no-print-directory lint types imports"
	@$(MAKE) --no-print-directory jvm

lint: develop ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: develop ## Check types
	$(BIN)/mypy

imports: develop ## Check the import rules
	$(BIN)/lint-imports

format: develop ## Format the code and apply automatic fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fast: develop ## Tests that need neither a JVM nor a service
	$(BIN)/pytest -n 2 -m "not spark and not services and not slow" --durations=20

# Each process has a Spark session and a broker of its own, which its tests share.
jvm: develop ## Tests on Spark and on real services, in two processes
	@$(SIDE_BY_SIDE) \
		'connect=$(BIN)/pytest -m "$(JVM_TESTS)" --durations=20 $(JVM_CONNECT)' \
		'others=$(BIN)/pytest -m "$(JVM_TESTS)" --durations=20 tests $(addprefix --ignore=,$(JVM_CONNECT))'

# No limit of pytest's on a single test: these end by their own measure.
soak: develop ## Run the long tests: random queries, kills, growth (SECONDS=600 KILLS=50 CHANGES=10000000)
	$(BIN)/pytest -m soak --durations=20
	$(BIN)/pytest -m hypothesis --hypothesis-profile=explore --timeout 0
	$(BIN)/pytest tests/oracle/test_oracle.py --timeout 0 --soak-seconds $(SECONDS)
	$(BIN)/pytest -s tests/integration/test_kill.py tests/integration/test_exactly_once.py tests/integration/test_jdbc_source.py \
		tests/connect/lake/test_killed.py --timeout 0 --kills $(KILLS)
	$(BIN)/pytest tests/integration/test_outage.py --timeout 0 --outage-seconds 100
	$(BIN)/pytest tests/integration/test_growth.py --timeout 0 --growth-changes $(CHANGES)

bench: develop ## Compare throughput with Flink (BENCH="--queries q1": options of the runner)
	$(BIN)/python -m benchmarks $(BENCH)

docs: develop ## Generate the reference pages in docs/
	$(BIN)/python -m tools.docs

lock: $(VENV)/stamp-develop ## Write requirements*.lock and jars.lock (UPGRADE=1: newer versions of all Python packages)
	$(BIN)/$(LOCK) --all-extras --group dev $(if $(UPGRADE),--upgrade) --output-file requirements-dev.lock
	$(BIN)/$(LOCK) --extra services --group build $(if $(UPGRADE),--upgrade) --constraint requirements-dev.lock \
		--output-file requirements.lock
	$(BIN)/python -m tools.jars

wheel: install ## Build dist/*.whl with the compiled operators inside
	$(BIN)/pip wheel . --no-deps --no-build-isolation --wheel-dir dist

clean: ## Remove what builds and test runs leave behind
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf metastore_db derby.log spark-warehouse
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## Remove the virtual environment as well
	rm -rf $(VENV)

$(VENV)/stamp-venv:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Headrace needs Python 3.11 or newer. Install it, or run: make PYTHON=/path/to/python"; exit 3; }
	@PYTHONPATH=src $(PYTHON) -m headrace.toolchain.java
	@echo "Setting up Headrace in $(VENV) (0.8 GB) and its cache (0.3 GB): about two minutes on a fast network."
	@echo "pip keeps up to 0.9 GB in its own cache, which 'pip cache purge' empties."
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# pip's progress is for a terminal; a log would get 150 lines of it.
$(VENV)/stamp-packages: requirements.lock | $(VENV)/stamp-venv
	@echo "installing the Python packages of requirements.lock (pyspark has 455 MB)"
	@quiet=--quiet; test -t 1 && quiet=; $(PIP) $$quiet --require-hashes -r requirements.lock
	@touch $@

$(VENV)/stamp-headrace: pyproject.toml hatch_build.py $(VENV)/stamp-packages
	$(PIP) --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/stamp-develop: requirements-dev.lock $(VENV)/stamp-headrace
	$(PIP) --quiet --require-hashes -r requirements-dev.lock
	@touch $@
