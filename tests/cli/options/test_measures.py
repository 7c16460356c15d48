from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
TWO = {"-m twice": ("-m", "nDCG@10", "-m", "RR@10"), "parted by a comma": ("-m", "nDCG@10,RR@10")}
INPUTS = ("qrels.txt", "good.run", "poor.run")


@pytest.mark.parametrize("two", TWO.values(), ids=TWO)
@pytest.mark.parametrize(
    "command", [("leaderboard",), ("compare",), ("significance",), ("standings",), ("holdout",), ("plot", "scores")]
)
def test_a_command_of_one_measure_refuses_a_second(
    command: tuple[str, ...], two: tuple[str, ...], files: Path, toprung: Command
) -> None:
    outcome = toprung(*command, *INPUTS, *two)
    assert outcome.code == 2
    assert "Found 2 measures, nDCG@10 and RR@10; expected one" in outcome.err
    assert "`toprung table`" in outcome.err


def test_one_measure_is_taken_as_it_is(files: Path, toprung: Command) -> None:
    outcome = toprung("leaderboard", *INPUTS, "-m", "P@1")
    assert outcome.code == 0
    assert "P@1" in outcome.out


def test_without_a_measure_the_labels_choose(files: Path, toprung: Command) -> None:
    assert "Measure: " in toprung("leaderboard", *INPUTS).out


def test_commands_of_labels_refuse_a_second_too_and_keep_their_default(files: Path, toprung: Command) -> None:
    refused = toprung("labels", "rescore", "qrels.txt", "qrels.txt", "good.run", "poor.run", *TWO["-m twice"])
    assert (refused.code, "expected one" in refused.err) == (2, True)
    assert "RR@10" in toprung("labels", "rescore", "qrels.txt", "qrels.txt", "good.run", "poor.run").out
