.DEFAULT_GOAL := help
SHELL := /bin/bash

VENV := .venv
BIN := $(VENV)/bin
# The first interpreter that runs and is 3.11 or newer; version managers leave names behind that do not run.
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
JVM_SOURCES := $(shell find jvm -type f -path '*/src/main/*' 2>/dev/null)
# Tests on the JVM run in two processes that take equally long: these folders in one, all others in the other.
JVM_CONNECT := tests/connect tests/integration
JVM_TESTS := spark or services or slow
SIDE_BY_SIDE := $(BIN)/python -m tools.side_by_side
# How much `make soak` does: seconds of random queries, kills of a running job, changes that state has to stand.
SECONDS ?= 600
KILLS ?= 50
CHANGES ?= 10000000
LOCK_OPTIONS := --all-extras --group dev --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-annotate --custom-compile-command "make lock"

.PHONY: help install demo test lint types imports format fast jvm soak docs bench lock wheel clean distclean

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  \033[1m%-10s\033[0m %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(VENV)/stamp-classes ## Create .venv with the locked packages, resolve jars, compile the operators

demo: install ## Walk tables of PostgreSQL to a lake on S3, on services of its own
	$(BIN)/headrace demo pagila

test: install ## Everything: checks beside the fast tests, then Spark and services in two processes
	@$(SIDE_BY_SIDE) "fast=$(MAKE) --no-print-directory fast" "checks=$(MAKE) --no-print-directory lint types imports"
	@$(MAKE) --no-print-directory jvm

lint: install ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install ## Check types
	$(BIN)/mypy

imports: install ## Check that imports point one way
	$(BIN)/lint-imports

format: install ## Rewrite the sources in house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fast: install ## Tests that need neither a JVM nor a service
	$(BIN)/pytest -n 2 -m "not spark and not services and not slow" --durations=20

# Each process has a Spark session and a broker of its own, which its tests share.
jvm: install ## Tests on Spark and on real services, in two processes
	@$(SIDE_BY_SIDE) \
		'connect=$(BIN)/pytest -m "$(JVM_TESTS)" --durations=20 $(JVM_CONNECT)' \
		'others=$(BIN)/pytest -m "$(JVM_TESTS)" --durations=20 tests $(addprefix --ignore=,$(JVM_CONNECT))'

# No limit of pytest's on a single test: these end by their own measure.
soak: install ## What takes too long for every run: random queries, kills, growth (SECONDS=600 KILLS=50 CHANGES=10000000)
	$(BIN)/pytest -m soak --durations=20
	$(BIN)/pytest tests/oracle/test_oracle.py --timeout 0 --soak-seconds $(SECONDS)
	$(BIN)/pytest -s tests/integration/test_kill.py tests/integration/test_exactly_once.py tests/integration/test_jdbc_source.py \
		tests/connect/lake/test_killed.py --timeout 0 --kills $(KILLS)
	$(BIN)/pytest tests/integration/test_outage.py --timeout 0 --outage-seconds 100
	$(BIN)/pytest tests/integration/test_growth.py --timeout 0 --growth-changes $(CHANGES)

bench: install ## Measure throughput beside Flink (BENCH="--queries q1": options of the runner)
	$(BIN)/python -m benchmarks $(BENCH)

docs: install ## Write the pages of docs/ that come from the code
	$(BIN)/python -m tools.docs

lock: install ## Write requirements.lock for pyproject.toml (UPGRADE=1: newer versions of everything)
	$(BIN)/uv pip compile pyproject.toml $(LOCK_OPTIONS) $(if $(UPGRADE),--upgrade) --quiet --output-file requirements.lock

wheel: install ## Build dist/*.whl with the compiled operators inside
	$(BIN)/pip wheel . --no-deps --no-build-isolation --wheel-dir dist

clean: ## Remove what builds and test runs leave behind
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf metastore_db derby.log spark-warehouse
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## Remove the virtual environment as well
	rm -rf $(VENV)

$(VENV)/stamp-venv:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: put python3.11 on the PATH, or run make PYTHON=/path/to/python"; exit 3; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/stamp-packages: requirements.lock $(VENV)/stamp-venv
	$(BIN)/python -m pip install --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(VENV)/stamp-headrace: pyproject.toml hatch_build.py $(VENV)/stamp-packages
	$(BIN)/python -m pip install --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/stamp-jvm: src/headrace/toolchain/coordinates.py $(JVM_SOURCES) $(VENV)/stamp-headrace
	$(BIN)/python -m headrace.toolchain
	@touch $@

# Not needed to run, so a failure to record classes is no failure to install.
$(VENV)/stamp-classes: $(VENV)/stamp-jvm
	-$(BIN)/headrace dev warm
	@touch $@
