from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from toprung.scoring.measures import NATIVE
from toprung.scoring.names import DIVERSITY

Command = Callable[..., Any]


def test_every_native_measure_is_listed_with_its_defaults_and_what_it_is(real_toprung: Command) -> None:
    outcome = real_toprung("measures")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    for definition in NATIVE:
        (line,) = [line for line in lines if line.startswith(definition.signature + " ")]
        assert definition.summary in line
        assert definition.aggregate.value in line
        for alias in definition.aliases:
            assert alias in line


def test_those_of_ir_measures_are_named_and_none_of_our_own_again(toprung: Command) -> None:
    pytest.importorskip("ir_measures")
    last = toprung("measures").out.splitlines()[-1]
    assert last.startswith("Through ir_measures: ")
    names = set(last.removeprefix("Through ir_measures: ").removesuffix(".").split(", "))
    assert {"Bpref", "Rprec", "SetP", "infAP"} <= names
    assert not names & {definition.name for definition in NATIVE}
    assert not names & DIVERSITY


def test_without_ir_measures_it_is_said_how_to_get_more(toprung: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    out = toprung("measures").out
    assert "Through ir_measures" not in out
    assert "Install toprung[ir-measures]" in out
