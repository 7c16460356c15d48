from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.data.judgments import AssessorKind, Choice, Judgment
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort

VOTES_OF_MODEL, VOTES_OF_PEOPLE = "xxxxxxxxxxyx", {1: "x", 4: "y", 5: "x", 7: "x", 9: "y", 10: "x"}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "xy":
        Path(f"{name}.run").write_text("".join(f"q{n:02} Q0 {name} 1 1 r\n" for n in range(len(VOTES_OF_MODEL))))
    votes = [("m", n, vote, AssessorKind.LLM) for n, vote in enumerate(VOTES_OF_MODEL)]
    votes += [("p", n, vote, AssessorKind.HUMAN) for n, vote in VOTES_OF_PEOPLE.items()]
    Effort.open_or_create("state").add_judgments(
        Judgment(
            judgment_id=f"{who}{number}",
            query_id=f"q{number:02}",
            left="x",
            right="y",
            choice=Choice.LEFT if vote == "x" else Choice.RIGHT,
            assessor=who,
            kind=kind,
        )
        for who, number, vote, kind in votes
    )


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["labels", "estimate", "x.run", "y.run", "--state", "state", *arguments])


def test_votes_of_people_correct_those_of_the_model() -> None:
    found = run("--human-sample", "random")
    assert found.exit_code == 0, found.output
    row = next(line for line in found.output.splitlines() if line.startswith("x "))
    assert "0.6667" in row  # people alone: four of six
    assert "0.9167" in row  # the model alone: eleven of twelve
    assert "+0.1667" in row  # five of the same six against four


def test_one_model_of_several_is_chosen_by_its_name() -> None:
    alone = run("--human-sample", "random").stdout
    Effort.open("state").add_judgments(
        Judgment(
            judgment_id=f"n{number}",
            query_id=f"q{number:02}",
            left="x",
            right="y",
            choice=Choice.RIGHT,
            assessor="n",
            kind=AssessorKind.LLM,
        )
        for number in range(len(VOTES_OF_MODEL))
    )
    mixed, chosen = run("--human-sample", "random"), run("--human-sample", "random", "--assessor", "m")
    assert "the votes of 2 models are counted together: m and n" in mixed.stderr
    assert (chosen.stdout, mixed.stdout != alone) == (alone, True)
    assert "counted together" not in chosen.stderr


def test_how_pairs_were_chosen_must_be_said() -> None:
    found = run()
    assert isinstance(found.exception, InputError)
    assert "--human-sample random" in str(found.exception)
