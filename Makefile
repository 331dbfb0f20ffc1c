# bnteach: `make lab` opens the course, `make test` checks everything. Both set up .venv first, once.
# Only Python 3.11 or newer is needed; uv is used if it is there, because it is quick.

ARGS    ?=
VENV    := .venv
BIN     := $(VENV)/bin
STAMP   := $(VENV)/.bnteach-installed

PYTEST  := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
NBVAL   := --nbval --nbval-current-env --nbval-cell-timeout 300
NEEDS   := import sys; sys.exit(sys.version_info < (3, 11))

# LC_ALL=C would keep Python 3.11 from finding bnteach in a folder with an umlaut; without it Python reads UTF-8.
ifneq (,$(filter C POSIX,$(LC_ALL)))
unexport LC_ALL
endif

.DEFAULT_GOAL := help
.PHONY: help lab test test-code test-arithmetic test-pythons judges lint lessons browser class bench locked constraints clean setup

help:  ## this list
	@echo "make lab              open the course in JupyterLab (ARGS=\"--no-browser --port 8899\" is passed on)"
	@echo "make test             lint, unit tests, doctests and all lessons (ARGS=\"-k chow_liu\" is passed on to pytest)"
	@echo "make test-code        the tests without lessons, browser and JupyterHub: some minutes"
	@echo "make test-arithmetic  the lessons on a processor without vector instructions newer than SSE3"
	@echo "make test-pythons     test-code with the newest other Python found here, its library part with the rest"
	@echo "make judges           how often wrong programs earn full marks (ARGS=\"10.6 --secrets 20\" for one question)"
	@echo "make lint             ruff on code and notebooks, mypy on the library"
	@echo "make lessons          run all lessons anew and save their outputs (ARGS=\"07_chow_liu\" for one)"
	@echo "make browser          install what the tests in a real browser need; they also need a Chromium"
	@echo "make class            install what the tests of a class need: JupyterHub, nbgrader, Dask"
	@echo "make bench            measure bnteach beside other libraries, which it installs (ARGS=--short for two minutes)"
	@echo "make locked           install all of the above but the other libraries, every file compared with its hash"
	@echo "make constraints      pin the newest versions of everything in constraints.txt and requirements.lock"
	@echo "make clean            remove .venv and what was built"
	@echo "Python 3.11 or newer is looked for; PYTHON=/path/to/python3.12 says which one to take."

lab: setup  ## open the course
	@$(BIN)/bnteach lab $(ARGS)

# One pytest run for everything. A lesson is run cell by cell in one kernel, so a file stays with one worker.
test: setup  ## check everything
	@status=0; \
	$(MAKE) --no-print-directory lint || status=1; \
	$(PYTEST) $(NBVAL) $(ARGS) || status=1; \
	exit $$status

test-code: setup  ## the tests without lessons, browser and JupyterHub
	@$(PYTEST) tests bnteach --ignore=tests/browser --ignore=tests/show/test_browser.py \
		--ignore=tests/course/classroom/test_hub.py $(ARGS)

# Sums come out differently in their last digits, as on an older processor; no output may show it.
test-arithmetic: setup  ## the lessons under another arithmetic
	@OPENBLAS_CORETYPE=Prescott NPY_DISABLE_CPU_FEATURES="$(NEW_FEATURES)" $(PYTEST) $(NBVAL) lessons $(ARGS)
NEW_FEATURES := AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR AVX2 FMA3 X86_V3 X86_V4

test-pythons: setup  ## test-code with the other Pythons
	@$(BIN)/python tests/pythons.py $(ARGS)

judges: setup  ## wrong programs against every question's judge
	@$(BIN)/python -m tests.course.exercises.judges $(ARGS)

lint: setup  ## ruff on code and notebooks, mypy on the library
	@status=0; \
	$(BIN)/ruff check . || status=1; \
	$(BIN)/mypy || status=1; \
	exit $$status

lessons: setup  ## run all lessons anew
	@$(BIN)/python tests/lessons.py $(ARGS)

browser: setup  ## what the tests in a browser need
	@$(INSTALL) -c constraints.txt --group browser

class: setup  ## what the tests of a class need
	@$(INSTALL) -c constraints.txt --no-build-isolation -e ".[class]"

bench: setup  ## bnteach beside other libraries
	@$(INSTALL) -c constraints.txt --group peers
	@$(BIN)/python -m tests.benchmarks.bench $(ARGS)

# uv if it is there, because it is quick; otherwise pip, of which groups need version 25.1.
INSTALL = $(shell command -v uv >/dev/null 2>&1 && echo "uv pip install -q --compile-bytecode --python $(BIN)/python" \
	|| echo "$(BIN)/python -m pip install -q --disable-pip-version-check")
NEW_PIP = command -v uv >/dev/null 2>&1 || { { $(BIN)/python -m pip --version >/dev/null 2>&1 || \
	$(BIN)/python -m ensurepip -q; } && $(INSTALL) "pip>=25.1"; }

# Set up .venv unless it is up to date. Two makes at once: the second waits for the first, then finds it done.
setup:
	@$(MAKE) --no-print-directory -q $(STAMP) 2>/dev/null || { python=$$($(FIND_PYTHON)) && \
		"$$python" -c "$$LOCKED" $(MAKE) -s --no-print-directory PYTHON="$$python" $(STAMP); }

$(STAMP): pyproject.toml constraints.txt
	@$(BIN)/python -c '$(NEEDS)' 2>/dev/null || rm -rf $(VENV)
	@test -x $(BIN)/python || { echo "Making $(VENV) with $$("$(PYTHON)" --version)"; "$(PYTHON)" -m venv $(VENV); } || \
		{ rm -rf $(VENV); echo "Could not make $(VENV): see above. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "Installing what pyproject.toml asks for, as constraints.txt pins it (some minutes, once)"
	@$(NEW_PIP)
	@$(INSTALL) -c constraints.txt hatchling
	@$(INSTALL) -c constraints.txt --no-build-isolation -e ".[course,docs]" --group test
	@touch $(STAMP)

# The first Python that is new enough, or PYTHON if it is given. First those that every change is tested with.
define FIND_PYTHON
for p in $(if $(PYTHON),"$(PYTHON)",python3.13 python3.12 python3.11 python3.14 python3 python); do \
	if "$$p" -c '$(NEEDS)' 2>/dev/null; then echo "$$p"; exit 0; fi; done; \
	found=$$("$(or $(PYTHON),python3)" --version 2>/dev/null) || found=missing; \
	echo "bnteach needs Python 3.11 or newer, and none was found: $(or $(PYTHON),python3) is $$found." >&2; \
	echo "Install one, or name it: make lab PYTHON=/path/to/python3.12" >&2; exit 1
endef

# Run a command while holding the lock on .venv.lock. The system lets go of it even if this process is killed.
define LOCKED
import fcntl, subprocess, sys
lock = open(".venv.lock", "w")
try:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("Another make is setting up .venv: waiting for it", flush=True)
    fcntl.flock(lock, fcntl.LOCK_EX)
sys.exit(subprocess.call(sys.argv[1:]))
endef
export LOCKED

# One version of everything for every Python from 3.11 on and every system; markers where a system differs.
UV = $(or $(shell command -v uv 2>/dev/null),$(BIN)/uv)
COMPILE = $(UV) pip compile -q --universal --python-version 3.11 --fork-strategy fewest --no-annotate --no-header \
	--extra course --extra class --extra docs --group test --group browser pyproject.toml
constraints: setup  ## pin the newest versions
	@command -v uv >/dev/null 2>&1 || $(INSTALL) uv
	@{ echo "# What make and CI install, pinned, for every system and for Python 3.11 and newer. Made by \`make constraints\`"; \
	   echo "# from pyproject.toml; use: pip install -c constraints.txt -e \".[course]\""; \
	   $(COMPILE) --upgrade; } > constraints.new
	@{ echo "# The pins of constraints.txt with the hashes of all files. Made by \`make constraints\`, used by \`make locked\`."; \
	   $(COMPILE) -c constraints.new --generate-hashes; } > lock.new
	@mv constraints.new constraints.txt
	@mv lock.new requirements.lock

# An editable install has no hash, and pip refuses to mix: first everything else, then bnteach alone.
locked:  ## install with hashes
	@test -x $(BIN)/python || { python=$$($(FIND_PYTHON)) && "$$python" -m venv $(VENV); }
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $(STAMP)

clean:  ## remove what was made
	rm -rf $(VENV) .venv-3.* .venv.lock build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find bnteach tests lessons \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +
