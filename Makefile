# make demo         set everything up and serve four boards, until Ctrl-C (PORT=8000)
# make demo-check   start them in a folder of their own, hold them to what was planted, fetch every page, and end
# make demo-report  the runs of the reconstruction as one page: build/demo/report.html
# make test         set up, then lint, types, layers and tests; on PostgreSQL too where it may differ from SQLite
# make test-all     the same, with simulations at full size, and every test of the boards on both databases
# make chaos        kill parts of a server under load for MINUTES=10 on each database, and say what was lost: nothing
# make setup        only set up: .venv with everything
# make docs         build the docs site: build/docs/index.html, to be read from the disk or any web server
# make gallery      draw every figure of docs/gallery anew
# make wheel        build dist/*.whl and the sdist, and try them in empty environments without a compiler
# make bench        time Toprung and its peers in half an hour, and write benchmarks/RESULTS.md
# make clean        remove what was built

VENV := .venv
PORT := 8000
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PUBLISHED := build/docs-work/published/index.html
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo demo-check demo-report test test-all looked-at lint types layers browser proxy check check-all chaos setup docs gallery wheel bench clean

help:
	@sed -n 's/^# make/make/p' Makefile

setup: $(READY)

COMPILED := $(shell find src -name '*.[ch]')

# Everything is pinned by constraints.txt. The parts in C are compiled on the way; without a compiler pip goes on without
# it. The stamp is made last, so that a broken install is tried again.
$(READY): pyproject.toml setup.py constraints.txt $(COMPILED)
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null || { python=$$(bash scripts/find-python) && \
	  echo "Setting up $(VENV) with $$($$python --version)" && $$python -m venv --clear $(VENV); }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --constraint constraints.txt --editable '.[dev,ir-measures,dask,bench,web,postgres,s3,docs]'
	@touch $@

# Where nobody looks at it, the demo checks itself and ends.
demo: setup
ifdef CI
	@$(BIN)/python -m demo.check
else
	@exec $(BIN)/python -m demo.board --port $(PORT)
endif

demo-check: setup
	@$(BIN)/python -m demo.check

demo-report: setup
	@$(BIN)/python -m demo.build build/demo
	@$(BIN)/python -m demo.judge build/demo
	@$(BIN)/toprung report build/demo/qrels.txt build/demo/runs/*.zst -m RR@100 --private-qrels build/demo/private.qrels \
	  --labels build/demo/judging --dates demo/runs.csv --output build/demo/report.html \
	  --title '13 synthetic runs after Lin et al. 2021; dates, teams, costs and votes made up'
	@$(BIN)/python -m demo.show_page build/demo/report.html

test: looked-at check

test-all: looked-at check-all

# Three that know nothing of each other, at once: types take as long as the other two.
looked-at: setup
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target types lint layers

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/python scripts/find_dead_code.py

types: setup
	@$(BIN)/mypy

layers: setup
	@$(BIN)/lint-imports

# Pages are tested in a real browser, where there is one.
browser:
	@bash scripts/find-chromium >/dev/null

# A board is tested behind a real proxy, where there is one.
proxy:
	@bash scripts/find-nginx >/dev/null

check: setup browser proxy
	@$(BIN)/pytest $(PARALLEL)
	@$(ON_POSTGRES) -m 'postgres and not slow'

check-all: setup browser proxy
	@$(BIN)/pytest $(PARALLEL)
	@$(BIN)/pytest $(PARALLEL) -m slow
	@$(ON_POSTGRES)

MINUTES := 10
CHAOS := $(BIN)/pytest -q -s tests/chaos
chaos: export CHAOS_MINUTES = $(MINUTES)
chaos: setup
	@$(CHAOS)
	@$(BIN)/python scripts/with_postgres.py $(CHAOS)

# Each process has a database of its own; files stay together, for some make something for all of their tests. On CI the
# order is always the same, as the examples of Hypothesis are: a failure there belongs to the change. Which files come
# first is said in tests/longest_first.py.
ORDER := $(if $(CI),--randomly-seed=2021)
PARALLEL := --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder $(ORDER)
ON_POSTGRES := $(BIN)/python scripts/with_postgres.py $(BIN)/pytest $(PARALLEL) tests/web tests/chaos --ignore tests/web/journeys

# A dead link is an error. The board beside the pages takes a minute: it is made anew when what it comes from changed.
docs: setup $(PUBLISHED)
	@$(BIN)/python -m docs.site.make $(dir $(PUBLISHED))

$(PUBLISHED): $(READY) docs/site/board.py $(wildcard demo/*.* demo/*/*.*) $(shell find src/toprung -type f -not -name '*.pyc')
	@$(BIN)/python -m docs.site.board build/docs-work/board
	@$(BIN)/toprung publish everyday $(dir $@) --data build/docs-work/board
	@touch $@

gallery: setup
	@$(BIN)/python scripts/make_gallery.py

wheel: setup
	@$(BIN)/python scripts/check_wheel.py

bench: setup
	@$(BIN)/python -m benchmarks.everything

clean:
	rm -rf $(VENV) build dist src/*.egg-info $(shell find src -name '*.so')
