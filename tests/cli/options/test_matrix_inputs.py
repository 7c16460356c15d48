"""Where an analysis gets its matrix from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Outcome

from toprung.cli.options.matrix_inputs import MatrixInputs

SCORES = "qid,a,b\n" + "".join(f"q{n},{n % 3},{n % 4}\n" for n in range(12))
RUNS = ("qrels.txt", "good.run", "poor.run")


@pytest.fixture(autouse=True)
def matrices(files: Path) -> None:
    for name in ("scores.csv", "ranks.csv"):
        (files / name).write_text(SCORES)


@pytest.mark.parametrize("command", ["stability", "power", "agreement", "significance", "compare", "simulate"])
def test_a_cutoff_has_no_effect_on_scores_and_is_refused(toprung: Callable[..., Outcome], command: str) -> None:
    found = toprung(command, "--scores", "scores.csv", "--cutoff", "100")
    assert found.code == 2
    assert found.err == "toprung: Found --cutoff with --scores; expected none: the scores are computed already.\n"


@pytest.mark.parametrize("source", ["scores", "ranks"])
def test_breaking_ties_has_no_effect_on_a_matrix_and_is_refused(toprung: Callable[..., Outcome], source: str) -> None:
    found = toprung("stability", f"--{source}", f"{source}.csv", "--float32-ties")
    assert found.code == 2
    assert "Found --float32-ties with a matrix; expected labels and runs, whose ties it breaks." in found.err


@pytest.mark.parametrize("command", ["stability", "power", "significance", "compare"])
def test_a_cutoff_beside_a_measure_is_refused(toprung: Callable[..., Outcome], command: str) -> None:
    found = toprung(command, *RUNS, "-m", "RR", "--cutoff", "10")
    assert found.code == 2
    assert "Found --cutoff with --measure RR; expected the cutoff in the measure's name, such as RR@10." in found.err
    assert toprung(command, *RUNS, "-m", "RR").code == 0


def test_a_cutoff_of_ranks_and_of_the_default_measure_is_used(toprung: Callable[..., Outcome]) -> None:
    for inputs in (("--ranks", "ranks.csv"), RUNS):
        found = toprung("stability", *inputs, "--cutoff", "2")
        assert found.code == 0, found.err
        assert "RR@2" in found.out


def test_plans_have_no_use_for_a_cutoff(toprung: Callable[..., Outcome]) -> None:
    for option in (("--cutoff", "100"), ("--float32-ties",)):
        found = toprung("power", "--sd", "0.3", "--queries", "50", *option)
        assert found.code == 2
        assert f"Found {option[0]} with --sd" in found.err


def test_from_python_nothing_was_given_on_a_command_line() -> None:
    found = MatrixInputs(arguments=(), ranks=None, scores="scores.csv", cutoff=100, float32_ties=False)
    assert found.read_scores("AP").measure == "AP"
