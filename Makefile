# make demo   set everything up and show the leaderboard of the reconstruction
# make test   set up, then lint, types, layers and tests
# make setup  only set up: .venv with everything
# make bench  time Toprung and its peers, and write benchmarks/RESULTS.md
# make clean  remove what was built

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo test lint types layers check setup bench clean

help:
	@sed -n 's/^# make/make/p' Makefile

setup: $(READY)

# Everything is pinned by constraints.txt. The scanner is compiled on the way; without a compiler pip goes on without
# it. The stamp is made last, so that a broken install is tried again.
$(READY): pyproject.toml setup.py constraints.txt src/toprung/data/formats/_scan.c
	@$(BIN)/python -c '' 2>/dev/null || { python=$$(bash scripts/find-python) && \
	  echo "Setting up $(VENV) with $$($$python --version)" && $$python -m venv --clear $(VENV); }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --constraint constraints.txt --editable '.[dev,ir-measures,dask,bench,web]'
	@touch $@

demo: setup
	@$(BIN)/python demo/build.py build/demo
	@$(BIN)/toprung evaluate build/demo/qrels.txt build/demo/runs/*.zst -m RR@100 -m Success@100 -m ESL@100
	@$(BIN)/toprung evaluate build/demo/qrels.txt build/demo/runs/*.zst -m RR@100 -m Success@100 -m ESL@100 \
	  --format html --output build/demo/leaderboard.html
	@echo; echo "The same as a page: build/demo/leaderboard.html"

test: setup lint types layers check

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: setup
	@$(BIN)/mypy

layers: setup
	@$(BIN)/lint-imports

check: setup
	@$(BIN)/pytest

bench: setup
	@$(BIN)/python -m benchmarks.run --output build/evaluation.md
	@for part in statistics bootstrap agreement labels; do \
	  $(BIN)/python -m benchmarks.$$part | tee build/$$part.md || exit 1; done
	@for part in evaluation statistics bootstrap agreement labels; do cat build/$$part.md; echo; done > benchmarks/RESULTS.md

clean:
	rm -rf $(VENV) build dist src/*.egg-info src/toprung/data/formats/*.so
