"""What does an attacker gain under a release? A table beside its field, and a sentence for the board at hand."""

from __future__ import annotations

from typing import Any

from toprung.analyses.simulate.gains import known_gains
from toprung.boards.disclosure.release import read_release
from toprung.web.core.models.boards import Board
from toprung.web.core.store.disclosing import disclosure_of

SHOWN = ("full", "rounded:3", "ladder:0.01", "board-ladder:0.01", "board-ladder:auto")
QUERIES = (200, 1_000, 5_793)


def show_gains(board: Board | None = None) -> dict[str, Any]:
    """``board``: where there is one, with the policy and the hidden labels that it has."""
    return {
        "queries": [f"{each:,}" for each in QUERIES],
        "rows": [{"release": name, "cells": [_cell(name, each) for each in QUERIES]} for name in SHOWN],
        "sentence": "" if board is None else say_gains(board),
    }


def say_gains(board: Board) -> str:
    told = disclosure_of(board)
    return known_gains(read_release(board.release), told.n_hidden).words if told.is_hidden else ""


def _cell(name: str, queries: int) -> str:
    gains = known_gains(read_release(name), queries).by_accounts.values()
    return ", ".join(f"{each:.3f}" for each in gains)
