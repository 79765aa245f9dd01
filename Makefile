# Everything needs only Python 3.11+ and make: uv, the libraries and the compiled kernels arrive by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export VIRTUAL_ENV := $(CURDIR)/$(VENV)

.PHONY: help setup studio demo test check format fuzz soak bench gallery lock clean

help:
	@echo "make studio  set up, then open the studio on a copy of an example: three balls and three arches (SCENE=my.json: on your scene)"
	@echo "make demo    set up, then print, plot and write the frames of the README's motion"
	@echo "make test    set up, then run every check and every test"
	@echo "make fuzz    read 100,000 mutated scene files"
	@echo "make soak    long trials: undo, kills, crashes, every example on screen"
	@echo "make bench   measure against the peers, write benchmarks/RESULTS.md"
	@echo "make gallery redraw the papers' figures into docs/gallery"
	@echo "make format  rewrite the sources in the house style"
	@echo "make lock    resolve the dependencies again into requirements.lock"

setup: $(VENV)/.warm $(VENV)/.page

$(VENV)/.installed: requirements.lock bootstrap.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Keypose needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Set PYTHON=python3.11 (or newer)."; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r bootstrap.lock
	@$(BIN)/uv pip install --quiet --require-hashes -r requirements.lock
	@$(BIN)/uv pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Compiling the kernels takes some seconds once; afterwards they load from numba's cache beside the sources.
$(VENV)/.warm: $(VENV)/.installed $(shell find src -name '*.py')
	@$(BIN)/keypose warm
	@touch $@

# The studio's page is built by the Node that comes as a wheel.
$(VENV)/.page: $(VENV)/.installed $(shell find web -type f -not -path '*/node_modules/*')
	@$(BIN)/python tools/build_page.py
	@touch $@

studio: setup
	@$(BIN)/keypose studio $(if $(SCENE),$(SCENE),--example 20_three_arches)

demo: setup
	@$(BIN)/python examples/demo.py

test: check $(VENV)/.browser
	$(BIN)/pytest --numprocesses auto --maxprocesses 8 --dist loadfile

$(VENV)/.browser: $(VENV)/.installed
	@$(BIN)/python tools/get_browser.py
	@touch $@

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/build_page.py lint check

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python tools/build_page.py format

gallery: setup
	$(BIN)/python tools/draw_gallery.py

fuzz: setup
	$(BIN)/python -m tests.document.mutations

soak: setup $(VENV)/.browser
	$(BIN)/pytest -m soak
	$(BIN)/python -m tests.studio.soak

bench: setup
	$(BIN)/python benchmarks/run.py

lock: $(VENV)/.installed
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 --all-extras --output-file requirements.lock pyproject.toml
	printf 'uv\n' | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 --output-file bootstrap.lock -

clean:
	rm -rf $(VENV) out
	find . -name __pycache__ -prune -exec rm -rf {} +
