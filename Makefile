# What one types here. GNU make and Python 3.11 or newer are all that is assumed.

# The environment that everything runs in, and the Python that it is made with.
VENV ?= .venv
PYTHON ?= python3 python3.13 python3.12 python3.11 python3.14 python3.15 python

# What `make play` starts.
PLAY = papan web

# TypeScript's compiler, of which only the checks are wanted: `npm install typescript`.
TSC ?= node_modules/.bin/tsc

# More words for pytest and for the benchmarks: `make test ARGS="-k corners"`.
ARGS ?=

# Tests run in three processes, each file in one of them: many wait for other programs. `ARGS="-n 0"`: all in one.
SIDE_BY_SIDE = -n 3 --dist loadfile --no-loadscope-reorder

BIN = $(VENV)/bin
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
FITS = import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))

.DELETE_ON_ERROR:
.PHONY: help play test lint lint-js bench bench-peers docs venv clean

help: ## prints this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name about; \
	do printf '  make %-11s %s\n' "$$name" "$$about"; done

play: $(VENV)/.papan ## opens the games in the browser
	@$(BIN)/$(PLAY)

# Bytecode is kept whatever the environment says: the tests start hundreds of programs.
test: $(VENV)/.test ## runs all tests, of large tables a sample (ARGS=--thorough: all; --long: minutes)
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest $(SIDE_BY_SIDE) $(ARGS)

# Types are those of the libraries that the pages and the tests import, too.
lint: $(VENV)/.lint $(VENV)/.test ## checks style and types; warns where a reader may get lost
	@$(BIN)/ruff check . && fine=yes; $(BIN)/ruff format --check . || fine=; \
	$(BIN)/mypy || fine=; $(BIN)/python -m docs.house; test -n "$$fine"

lint-js: ## checks the types of the pages' script (TSC=… says where TypeScript is)
	@$(TSC) --project tests/browser

bench: $(VENV)/.papan ## measures speed, also of hand-written C++ (ARGS="NAME… --quick --json")
	@$(BIN)/python -m benchmarks.run $(ARGS)

bench-peers: $(VENV)/.papan ## measures easyAI, aima3 and OpenSpiel too, in one run (ARGS="--quick --json")
	@$(BIN)/python -m benchmarks.peers $(ARGS)

docs: $(VENV)/.docs ## builds the documentation into build/site; warnings are errors
	@$(BIN)/python -m docs.supply
	@$(BIN)/zensical build --strict --clean --config-file mkdocs.yml
	@$(BIN)/python -m docs.boards build/site/play
	@$(BIN)/python -m docs.offline build/site
	@echo "build/site/index.html"

venv: $(BIN)/pip ## makes the environment in VENV and installs nothing else

clean: ## removes the environment and everything else that was made
	rm -rf .venv build dist benchmarks/build .pytest_cache .mypy_cache .ruff_cache .hypothesis

# A file stands for each thing that is installed, so that a second `make` does not ask pip again.
# Whoever has put another build of Papan into VENV touches VENV/.papan, and it stays.
$(VENV)/.papan: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Installing Papan in $(VENV) …"
	@$(INSTALL) --editable '.[web]'
	@touch $@

$(VENV)/.test $(VENV)/.lint $(VENV)/.docs: $(VENV)/.%: pyproject.toml constraints.txt | $(VENV)/.papan
	@$(INSTALL) --group $*
	@touch $@

$(BIN)/pip:
	@for python in $(PYTHON); do \
		if $$python -c '$(FITS)' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "Papan needs Python 3.11 or newer, with its module venv (on Debian and Ubuntu:" >&2; \
		echo "apt install python3-venv). Tried: $(PYTHON). Another one: make PYTHON=…" >&2; \
		exit 1; \
	fi; \
	$$found -m venv --clear $(VENV)
	@$(INSTALL) --upgrade pip
