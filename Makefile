# Everything that people and CI run. `make` lists the targets. No target but `engines` needs root.
PYTHON ?= python3
# More options for pytest, for example PYTEST_ARGS=--no-skips or PYTEST_ARGS='tests/harness/wire -x'.
PYTEST_ARGS ?=
# More options for `trailcam verify`, for example VERIFY_ARGS=--json.
VERIFY_ARGS ?=

# More options for the deep search, for example DEEP_ARGS='--seconds 3600 --seed 1000'.
DEEP_ARGS ?=
# More options for `trailcam live`, for example LIVE_ARGS=--rehearse.
LIVE_ARGS ?=
# The systems of `make guards`, and more options for it.
SYSTEMS ?= computer-use safari-mcp safari-jxa chrome
GUARDS_ARGS ?=
# More options for `trailcam mutate`, for example MUTATE_ARGS='--system safari-jxa --all'.
MUTATE_ARGS ?=
# The release that `make release` writes the report of, and more options for it.
RELEASE ?= 0.1.0
RELEASE_ARGS ?=

BIN := .venv/bin
RUNTIME := .venv/installed
DEVELOPMENT := .venv/installed-test

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help verify test deep check guards guards-browser mutate engines extension bench docs report live release clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

verify: $(RUNTIME) ## The main job: run all scenarios on the backs that are here, judge them, write build/report
	$(BIN)/trailcam verify $(VERIFY_ARGS)

test: $(DEVELOPMENT) ## Run all tests; fails where lines or branches of a package are covered below 95 %
	$(BIN)/python -m tests.measure $(PYTEST_ARGS)

deep: $(DEVELOPMENT) ## Draw scenarios with faults for five minutes; what breaks a law is kept in scenarios/found
	$(BIN)/python -m harness.properties $(DEEP_ARGS)

check: $(DEVELOPMENT) ## Style, types, and the rules of the house
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_tidy.py tests/tidy

guards: $(DEVELOPMENT) ## Take every guard out of every stack, one at a time: each is noticed by a scenario, or explained
	@for system in $(SYSTEMS); do $(BIN)/trailcam guards --system $$system $(GUARDS_ARGS) || exit 1; done

guards-browser: $(DEVELOPMENT) ## The same for the extension, in a real Chromium; `make guards` then knows it
	$(BIN)/python -m tests.stack.chrome.browser.trials $(GUARDS_ARGS)

mutate: $(RUNTIME) ## Put every fault at every class of place, and judge each run by the laws (Computer Use, where not said)
	$(BIN)/trailcam mutate $(MUTATE_ARGS)

engines: ## Install the real programs that the engine back and some tests need (root, Debian)
	$(PYTHON) -m harness.engines install
	mkdir -p build/strangers/osascript
	cp tests/fakes/osascript/npm/package.json tests/fakes/osascript/npm/package-lock.json build/strangers/osascript/
	npm ci --prefix build/strangers/osascript --ignore-scripts --no-audit --no-fund
	mkdir -p build/strangers/mcp
	cp tests/harness/strangers/npm/package.json tests/harness/strangers/npm/package-lock.json build/strangers/mcp/
	npm ci --prefix build/strangers/mcp --ignore-scripts --no-audit --no-fund
	$(PYTHON) -m venv build/strangers/fastmcp
	build/strangers/fastmcp/bin/python -m pip install --disable-pip-version-check \
	  --requirement tests/harness/strangers/pip/requirements.txt
	$(MAKE) extension

extension: ## Build the browser extension into build/extension, with the tools that its lock file names (node, npm)
	mkdir -p build/extension-tools
	cp stack/chrome/extension/package.json stack/chrome/extension/package-lock.json build/extension-tools/
	npm ci --prefix build/extension-tools --ignore-scripts --no-audit --no-fund
	node stack/chrome/extension/build.js

bench: $(DEVELOPMENT) ## Measure against the targets and against peers; prints ratios of one interleaved run
	$(BIN)/python -m tests.bench --write docs/benchmarks.md

docs: $(DEVELOPMENT) ## Write every generated document anew
	$(BIN)/python -m tests.documents --write

report: $(RUNTIME) ## Write build/report anew from the kept runs, which are judged again
	$(BIN)/trailcam report

live: $(RUNTIME) ## Run the opted-in scenarios against the real programs of a Mac; elsewhere say what is missing (exit 3)
	$(BIN)/trailcam live $(LIVE_ARGS)

release: $(RUNTIME) ## Write reports/releases/RELEASE from the evidence of this build (after `make verify`)
	$(BIN)/trailcam report release $(RELEASE) $(RELEASE_ARGS)

clean: ## Remove what was built; engines and .venv stay
	rm -rf build/report build/runs build/runs-of-strangers build/coverage .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find harness fakes stack reports tests -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	$(PYTHON) -m venv .venv

$(RUNTIME): pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --disable-pip-version-check --editable .
	@touch $@

$(DEVELOPMENT): pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[test]'
	@touch $@ $(RUNTIME)
