from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.analyses.simulate.boards import Setting
from toprung.analyses.simulate.find import RELEASES
from toprung.boards.disclosure.release import (
    FullRelease,
    Ladder,
    ParameterFreeLadder,
    Release,
    RoundedRelease,
)
from toprung.cli.options.gamma import GammaType
from toprung.cli.options.release import ReleaseType
from toprung.cli.simulate import simulate
from toprung.report.render import OutputFormat
from toprung.stats.sequences.online import Gamma, PlannedGamma, PowerLawGamma, QuadraticGamma, SteadyGamma, spell_gamma

Command = Callable[..., Any]

SMALL = ("--queries", "50", "--submissions", "8", "--boards", "12", "--attack", "20")
RANKS = "qid,old,new\n" + "".join(f"q{i},{1 + i % 7},{i % 5}\n" for i in range(30))


@pytest.fixture(autouse=True)
def matrices(files: Path) -> None:
    (files / "ranks.csv").write_text(RANKS)
    (files / "scores.csv").write_text(RANKS)


def test_the_first_line_is_the_sentence(toprung: Command) -> None:
    outcome = toprung("simulate", *SMALL)
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].startswith("With 8 submissions of which 2 are truly better, a run that is no better is crowned on ")
    assert lines[2].split()[:2] == ["rule", "gamma"]


def test_settings_reach_the_analysis(toprung: Command) -> None:
    said = json.loads(
        toprung(
            *("simulate", *SMALL, "--improvements", "1", "--gain", "0.03", "--follow", "0.5", "--alpha", "0.1"),
            *("--rule", "score", "--rule", "no_harm", "--gamma", "power:2", "--gamma", "planned:5"),
            *("--release", "ladder:0.02", "--attackers", "4", "--power", "9", "--seed", "3", "-f", "json"),
        ).out
    )
    assert said["setting"] == {
        "queries": 50,
        "submissions": 8,
        "improvements": 1,
        "gains": [0.03],
        "follow": 0.5,
        "boards": 12,
        "attack": 20,
        "attackers": 4,
        "pairs": 9,
        "alpha": 0.1,
        "seed": 3,
    }
    assert [(each["rule"], each["gamma"]) for each in said["rules"]] == [
        ("score", None),
        ("no_harm", "power:2"),
        ("no_harm", "planned:5"),
    ]
    assert {(each["rule"], each["gamma"], each["gain"], each["n"]) for each in said["power"]} == {
        ("no_harm", "power:2", 0.03, 9)
    }
    assert [each["claim"] for each in said["rules"][1]["smallest_gains"]] == [1, 10, 50]
    assert [(each["release"], each["n"]) for each in said["releases"]] == [("ladder:0.02", 4)]


def test_what_is_not_said_is_as_in_the_library() -> None:
    defaults = {option.name: option.default for option in simulate.params}
    settings = asdict(Setting())
    assert {name: defaults[name] for name in settings} == settings
    assert [ReleaseType().convert(each, None, None) for each in defaults["releases"]] == list(RELEASES)


@pytest.mark.parametrize(
    ("arguments", "measure"),
    [
        (["--ranks", "ranks.csv"], "RR@100"),
        (["--ranks", "ranks.csv", "new", "--cutoff", "3"], "RR@3"),
        (["--scores", "scores.csv", "-m", "nDCG@10"], "nDCG@10"),
        ([], "RR@100"),
    ],
)
def test_a_pilot_may_be_given(toprung: Command, arguments: list[str], measure: str) -> None:
    said = json.loads(toprung("simulate", *arguments, *SMALL, "--gain", "0.01", "-f", "json").out)
    assert said["provenance"]["measure"] == measure
    assert ("pilot_digest" in said["provenance"]) == bool(arguments)


def test_csv_has_a_row_for_each_rule(toprung: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(toprung("simulate", *SMALL, "-f", "csv").out)))
    assert [row["rule"] for row in rows] == [
        "score",
        "naive",
        "measure",
        *["no_harm"] * 4,
        "both",
    ]


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_is_written_to_a_file(toprung: Command, output_format: str) -> None:
    outcome = toprung("simulate", *SMALL, "--format", output_format, "--output", "out")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert Path("out").read_text(encoding="utf-8").strip()


def test_cores_do_not_change_the_result(toprung: Command) -> None:
    arguments = ("simulate", *SMALL, "-f", "json")
    assert toprung(*arguments, "-j", "2", "--backend", "threading").out == toprung(*arguments).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--queries", "5"], "queries: found 5; expected at least 10"),
        (["--submissions", "4", "--improvements", "4"], "improvements: found 4 among 4 submissions; expected fewer"),
        (["--gain", "0"], "gains: found [0.0]; expected numbers above 0"),
        (["--gain", "0.5"], "found an expected score of 1.4"),
        (["--scores", "scores.csv", "--rule", "both"], "found 'both' with scores; expected ranks"),
        (["-m", "nDCG@10"], "Found no runs; expected QRELS RUN..."),
        (["qrels.txt", "good.run"], "pilot: found 2 queries; expected at least 10"),
        (["--attackers", "1"], "attackers: found 1; expected at least 2"),
        (["--backend", "nothing", "-j", "2"], "backend: found 'nothing'"),
        (["--release", "ladder:none"], "found 'ladder:none'; expected full, or such as rounded:3"),
        (["--release", "ladder:-1"], "step: found -1; expected more than 0"),
        (["--gamma", "even"], "found 'even'; expected quadratic"),
        (["--rule", "best"], "'best' is not one of"),
    ],
)
def test_nonsense_is_refused_in_one_line(toprung: Command, arguments: list[str], message: str) -> None:
    outcome = toprung("simulate", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (GammaType(), "quadratic", QuadraticGamma()),
        (GammaType(), "power:1.5", PowerLawGamma(exponent=1.5)),
        (GammaType(), "steady:10", SteadyGamma()),
        (GammaType(), "planned:20", PlannedGamma(claims=20)),
        (ReleaseType(), "full", FullRelease()),
        (ReleaseType(), "rounded", RoundedRelease()),
        (ReleaseType(), "rounded:2", RoundedRelease(digits=2)),
        (ReleaseType(), "ladder", Ladder()),
        (ReleaseType(), "ladder:0.02", Ladder(step=0.02)),
        (ReleaseType(), "ladder:free", ParameterFreeLadder()),
    ],
)
def test_policies_are_read_as_they_are_spelled(kind: click.ParamType[Any], text: str, expected: object) -> None:
    assert kind.convert(text, None, None) == expected


EXPONENTS = st.floats(1, 50, exclude_min=True)
STEPS = st.floats(0, 1, exclude_min=True)


@given(
    st.just(QuadraticGamma())
    | st.builds(PowerLawGamma, exponent=EXPONENTS)
    | st.builds(PlannedGamma, claims=st.integers(1))
    | st.builds(SteadyGamma, lead=st.integers(0, 1_000_000))
)
def test_a_gamma_is_read_back_from_its_spelling(gamma: Gamma) -> None:
    assert GammaType().convert(spell_gamma(gamma), None, None) == gamma


@given(
    st.sampled_from([FullRelease(), ParameterFreeLadder()])
    | st.builds(RoundedRelease, digits=st.integers(0, 12))
    | st.builds(Ladder, step=STEPS)
)
def test_a_release_is_read_back_from_its_spelling(release: Release) -> None:
    assert ReleaseType().convert(release.spelling, None, None) == release


def test_what_the_command_line_has_no_word_for_is_spelled_as_in_python() -> None:
    assert spell_gamma(PlannedGamma(claims=9, reserve=0.5)) == "PlannedGamma(claims=9, reserve=0.5, exponent=2.0)"
