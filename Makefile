# The two commands of README.md are `make run` and `make test`; both install what they need and are quick when it is there.
SHELL := /bin/bash
# The Python that the virtual environment is made of: the newest usable one, unless it is named.
PYTHON ?= $(shell .ci/newest-python)
PORT ?= 8000
# How many processes run tests: more than two cores, since tests wait for pages and processes; 0 runs them in one, where a
# debugger works.
WORKERS ?= 4
VENV := .venv
BIN := $(VENV)/bin
export UV_PYTHON_DOWNLOADS := never
# Without compiled files every process of Django compiles two thousand modules first, which takes it twice as long to start.
unexport PYTHONDONTWRITEBYTECODE
# Where the machine has no Node.js, a pinned wheel puts it beside Python.
export PATH := $(CURDIR)/$(BIN):$(PATH)

FORGET_FUNDING := const fs = require("fs"), name = process.argv[1], lock = JSON.parse(fs.readFileSync(name)); \
	for (const part of Object.values(lock.packages)) delete part.funding; \
	fs.writeFileSync(name, JSON.stringify(lock, null, 2) + "\n");

NEEDS_NODE := command -v npm >/dev/null || { echo "Installing Node.js as a Python wheel ..."; \
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements-node.lock; }

.PHONY: help setup run test check check-types check-rest format bench generated screenshots licences lock clean system original

help:
	@echo "make run     install what is missing and start the studio (PORT=8000)"
	@echo "make test    install what is missing and run every test"
	@echo "make check   linters, types, floors, budgets"
	@echo "make bench   measure speeds and print a table"
	@echo "make screenshots  write pictures of every page into test-results/pictures"
	@echo "make format  format Python and templates"
	@echo "make generated  write docs/findings.md, docs/audience.md and the schemas anew"
	@echo "make licences  list the licences of everything that is shipped"
	@echo "make lock    renew the lock files after pyproject.toml or package.json changed"
	@echo "make original  install AgentV, which tests compare with (make test does so)"
	@echo "make clean   remove everything that was installed or built, but no data"

setup: $(VENV)/.installed static/dist/.built

$(VENV)/.installed: requirements-boot.lock requirements-dev.lock
	@test -x $(BIN)/python || { python="$(PYTHON)"; test "$$python" && $$python -m venv $(VENV); }
	@echo "Installing the Python side into $(VENV) ($$($(BIN)/python --version)) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-boot.lock
	@$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python --require-hashes requirements-dev.lock requirements-boot.lock
	@touch $@

# node_modules keeps its own stamp, so that a change of our sources alone builds without installing.
node_modules/.installed: package.json package-lock.json | $(VENV)/.installed
	@$(NEEDS_NODE)
	@echo "Installing the front end's libraries ..."
	@npm ci --omit=dev --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

# What checks and tests need beside them; running the studio does without. It installs both.
node_modules/.tools: package.json package-lock.json | $(VENV)/.installed
	@$(NEEDS_NODE)
	@echo "Installing the front end's libraries and what checks them ..."
	@npm ci --no-audit --no-fund --loglevel=error >/dev/null
	@touch node_modules/.installed $@

static/dist/.built: node_modules/.installed $(shell find static/src static/build.mjs -type f 2>/dev/null)
	@echo "Bundling the front end ..."
	@npm run --silent build
	@touch $@

var/static/.collected: static/dist/.built $(shell find static -path static/dist -prune -o -type f -print 2>/dev/null) | $(VENV)/.installed
	@echo "Collecting static files ..."
	@$(BIN)/python manage.py collectstatic --no-input --verbosity 0
	@# The files may be kept elsewhere (PACKWRIGHT_VAR, PACKWRIGHT_STATIC).
	@mkdir -p $(@D)
	@touch $@

run: setup var/static/.collected
	@exec $(BIN)/python manage.py up --port $(PORT)

licences: setup
	@$(BIN)/python manage.py licences

system:
	@.ci/system-packages

# AgentV itself, which tests compare with. It stands apart from the front end's libraries, so that neither `make run` nor
# an image installs it. Without it those tests are skipped.
original: tests/original/node_modules/.installed

tests/original/node_modules/.installed: tests/original/package.json tests/original/package-lock.json | node_modules/.installed
	@echo "Installing AgentV for the tests ..."
	@cd $(dir $<) && npm ci --no-audit --no-fund --loglevel=error && touch $(CURDIR)/$@ \
		|| echo "AgentV could not be installed; the tests that need it are skipped."

test: node_modules/.tools setup system original
	@npm run --silent test
	@$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

# Types take as long as all the rest, on one core.
check: node_modules/.tools setup
	@$(MAKE) --no-print-directory --jobs 2 check-types check-rest

check-types:
	$(BIN)/mypy studio packs runs

check-rest:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/djlint templates --lint --check --quiet
	@npm run --silent lint
	@npm run --silent types
	$(BIN)/python manage.py check --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m pytest -q tests/test_layout.py

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djlint templates --reformat --quiet

generated: setup
	@$(BIN)/python -m tests.findings_page
	@$(BIN)/python -m tests.audience_page
	@$(BIN)/python -m tests.published_schemas

bench: setup
	@$(BIN)/python -m benchmarks $(ARGS)

screenshots: setup system
	@$(BIN)/python -m tests.browser.pictures $(ARGS)

lock: $(VENV)/.installed
	$(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-header --python $(BIN)/python -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --group dev --generate-hashes --no-header --python $(BIN)/python -o requirements-dev.lock
	$(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --extra s3 --generate-hashes --no-header --python $(BIN)/python -o requirements-s3.lock
	$(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --extra parquet --generate-hashes --no-header --python $(BIN)/python -o requirements-parquet.lock
	npm install --package-lock-only --no-audit --no-fund
	cd tests/original && npm install --package-lock-only --no-audit --no-fund
	@# Lock files name no hosts, those of sponsors included.
	@node -e '$(FORGET_FUNDING)' package-lock.json
	@node -e '$(FORGET_FUNDING)' tests/original/package-lock.json

clean:
	rm -rf $(VENV) node_modules tests/original/node_modules static/dist var/static .mypy_cache .ruff_cache .pytest_cache
