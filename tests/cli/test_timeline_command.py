from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

# new answers 12 more than old, late one more than new.
RANKS = "qid,old,new,late\n" + "".join(f"q{i},{int(i < 24)},{int(i < 36)},{int(i < 37)}\n" for i in range(60))
BOARD = "id,date,description,eval,dev\na,2020/08/11,First,0.2,0.3\nb,2020/09/01,Second,0.3,0.2\nc,,Third,0.4,0.4\n"


@pytest.fixture(autouse=True)
def matrices(files: Path) -> None:
    (files / "ranks.csv").write_text(RANKS)
    (files / "meta.csv").write_text("run,date\nlate,2021/03/01\nold,2021-01-01\nnew,2021-02-01\n")
    (files / "board.csv").write_text(BOARD)


def test_runs_are_followed_in_the_order_of_their_dates(toprung: Command) -> None:
    outcome = toprung("timeline", "--ranks", "ranks.csv", "--dates", "meta.csv")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0] == (
        "1 of 2 claims passed: new proved an improvement when it came, on 2021-02-01; "
        "by score alone the top changed hands twice."
    )
    assert [line.split()[:3] for line in lines[3:6]] == [
        ["2021-01-01", "old", "0.4000"],
        ["2021-02-01", "●", "new"],
        ["2021-03-01", "○", "late"],
    ]


def test_tags_come_with_the_dates_and_can_be_chosen(toprung: Command, files: Path) -> None:
    tagged = "run,date,tags\nlate,2021-03-01,neural; open\nold,2021-01-01,\nnew,2021-02-01,open\n"
    (files / "tagged.csv").write_text(tagged)
    asked = ("timeline", "--ranks", "ranks.csv", "--dates", "tagged.csv", "-f", "json")

    def tags_of(*options: str) -> list[str]:
        return [each["tags"] for each in json.loads(toprung(*asked, *options).out)["submissions"]]

    assert tags_of() == ["", "open", "neural, open"]
    assert tags_of("--tag", "neural") == ["", "", "neural"]
    outcome = toprung(*asked, "--tag", "closed")
    assert (outcome.code, outcome.out) == (2, "")
    assert "--tag: found 'closed'; expected one of neural, open." in outcome.err


def test_a_tag_needs_a_file_that_has_it(toprung: Command) -> None:
    outcome = toprung("timeline", "--ranks", "ranks.csv", "--tag", "open")
    assert outcome.code == 2
    assert "found 'open'; expected a column tags in the file of --dates" in outcome.err


def test_labels_and_runs_will_do(real_toprung: Command) -> None:
    outcome = real_toprung("timeline", "qrels.txt", "poor.run", "good.run")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("In the order given, the one claim, good's, did not pass its level; ")
    assert "no dates were given" in outcome.out
    assert "Measure: " in outcome.out, "chosen from the labels, and said"


def test_settings_reach_the_analysis(toprung: Command) -> None:
    said = json.loads(
        toprung(
            *("timeline", "--ranks", "ranks.csv", "old", "new", "--rule", "both", "--margin-answered", "0.02"),
            *("--margin-ranking", "0.03", "--alpha", "0.1", "--gamma", "planned:20", "-f", "json", "--cutoff", "10"),
        ).out
    )
    expected = {"rule": "both", "alpha": 0.1, "answered_margin": 0.02, "ranking_margin": 0.03, "gamma": "planned:20"}
    assert expected.items() <= said["provenance"].items()
    assert said["provenance"]["measure"] == "RR@10"
    assert [each["run"] for each in said["submissions"]] == ["old", "new"]
    assert said["submissions"][1]["level"] == pytest.approx(0.1 * 0.9 / 20)


def test_a_submission_says_whether_it_claimed_and_what_came_of_it(toprung: Command) -> None:
    said = json.loads(toprung("timeline", "--ranks", "ranks.csv", "--dates", "meta.csv", "-f", "json").out)
    assert (said["holder"], said["challenged"]) == ("new", "new")
    first, second, third = said["submissions"]
    assert (first["is_claim"], first["passed"], first["p"]) == (False, None, None)
    assert (second["is_claim"], second["passed"], second["verdict"], second["grade"]) == (True, True, "B", "no_harm")
    assert (second["p"], second["level"]) == (pytest.approx(4 / 2**12), pytest.approx(0.002221, abs=5e-7))
    assert second["smallest_gain"] > 0
    assert (third["is_claim"], third["passed"], third["verdict"]) == (True, False, "tied")


def test_scores_are_followed_by_the_measure(toprung: Command) -> None:
    said = json.loads(toprung("timeline", "--scores", "ranks.csv", "-m", "nDCG@10", "-f", "json").out)
    assert (said["provenance"]["rule"], said["provenance"]["measure"], said["holder"]) == ("measure", "nDCG@10", "new")


@pytest.mark.parametrize(("options", "measure"), [(("-m", "nDCG@10"), "nDCG@10"), (("--rel", "2"), "RR(rel=2)@10")])
def test_any_measure_of_labels_and_runs_can_be_followed(
    real_toprung: Command, options: tuple[str, ...], measure: str
) -> None:
    outcome = real_toprung("timeline", "qrels.txt", "poor.run", "good.run", *options, "-f", "json")
    assert (outcome.code, json.loads(outcome.out)["provenance"]["measure"]) == (0, measure)


def test_dates_may_name_more_runs_than_were_given(toprung: Command) -> None:
    outcome = toprung("timeline", "--ranks", "ranks.csv", "old", "--dates", "meta.csv", "-f", "json")
    assert [each["run"] for each in json.loads(outcome.out)["submissions"]] == ["old"]


@pytest.mark.parametrize(
    ("gamma", "level"),
    [("steady:10", 0.002221), ("quadratic", 0.025), ("power:2", 0.05 * 0.6079271), ("planned:9", 0.005)],
)
def test_gamma_can_be_chosen(toprung: Command, gamma: str, level: float) -> None:
    outcome = toprung("timeline", "--ranks", "ranks.csv", "old", "new", "--gamma", gamma, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    assert float(rows[1]["level"]) == pytest.approx(level, abs=5e-7)


@pytest.mark.parametrize(
    "gamma", ["cubic", "power", "power:x", "power:1", "planned:0", "planned:", "quadratic:2", "steady:-1"]
)
def test_a_gamma_that_is_not_known_is_refused(toprung: Command, gamma: str) -> None:
    outcome = toprung("timeline", "--ranks", "ranks.csv", "--gamma", gamma)
    assert outcome.code == 2
    assert "--gamma" in outcome.err


def test_a_baseline_is_challenged_first(toprung: Command) -> None:
    outcome = toprung("timeline", "--ranks", "ranks.csv", "--baseline", "new")
    assert outcome.out.startswith("In the order given, the one claim, late's, did not pass its level; ")


def test_a_baseline_of_the_file_of_dates_is_challenged_first(toprung: Command, files: Path) -> None:
    # By date alone old would be challenged first, and new would pass.
    (files / "known.csv").write_text("run,date,is_baseline\nold,2021-01-01,\nlate,2021-03-01,\nnew,,yes\n")
    asked = ("--ranks", "ranks.csv", "--dates", "known.csv", "-f", "json")
    followed = json.loads(toprung("timeline", *asked).out)
    assert [(each["run"], each["is_baseline"]) for each in followed["submissions"]] == [
        ("new", True),
        ("old", False),
        ("late", False),
    ]
    assert json.loads(toprung("timeline", *asked, "--baseline", "new").out) == followed
    assert (followed["holder"], followed["challenged"]) == (None, "new")
    assert json.loads(toprung("leaderboard", *asked).out)["holder"] is None


def test_a_baseline_that_is_not_among_the_runs_says_nothing(toprung: Command, files: Path) -> None:
    (files / "known.csv").write_text("run,date,is_baseline\nold,2021-01-01,\nnew,2021-02-01,\nfar,,yes\n")
    outcome = toprung("timeline", "--ranks", "ranks.csv", "old", "new", "--dates", "known.csv")
    assert outcome.code == 0
    assert outcome.out.startswith("new proved an improvement when it came, on 2021-02-01; ")


def test_a_leaderboard_is_followed_by_score(toprung: Command) -> None:
    outcome = toprung("timeline", "--leaderboard", "board.csv")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(
        "Second has had the highest eval, 0.3, since 2020-09-01; over 2 entries the top changed hands once; "
        "from scores alone no test is possible."
    )
    assert "Left out: 1 entry without a date." in outcome.out


def test_another_score_of_a_leaderboard(toprung: Command) -> None:
    outcome = toprung("timeline", "--leaderboard", "board.csv", "--score-column", "dev")
    assert outcome.out.startswith("First has had the highest dev, 0.3, since 2020-08-11; over 2 entries the top never ")


@pytest.mark.parametrize("output_format", ["csv", "json", "markdown", "latex", "html"])
def test_every_format(toprung: Command, output_format: str) -> None:
    for source in (("--ranks", "ranks.csv"), ("--leaderboard", "board.csv")):
        outcome = toprung("timeline", *source, "-f", output_format)
        assert outcome.code == 0
        assert outcome.out.strip()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Found no runs; expected QRELS RUN..."),
        (("--ranks", "ranks.csv", "old", "older"), "Found no run 'older'"),
        (("--scores", "ranks.csv", "--rule", "no_harm"), "found 'no_harm' with score, which has no first ranks"),
        (("--ranks", "ranks.csv", "-m", "AP"), "Found --measure AP with --ranks; expected labels and runs"),
        (("--leaderboard", "board.csv", "--dates", "meta.csv"), "Found --leaderboard with runs, ranks, dates"),
        (
            ("--leaderboard", "board.csv", "--rule", "measure"),
            "Found --leaderboard with runs, ranks, dates, a measure or rule",
        ),
        (("--ranks", "ranks.csv", "--score-column", "eval"), "Found --score-column without --leaderboard"),
        (("--ranks", "ranks.csv", "--dates", "missing.csv"), "missing.csv"),
        (("--ranks", "ranks.csv", "--rule", "best"), "--rule"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(toprung: Command, arguments: tuple[str, ...], message: str) -> None:
    outcome = toprung("timeline", *arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert message in outcome.err
    assert "Traceback" not in outcome.err


def test_a_run_without_a_date_is_named(toprung: Command, files: Path) -> None:
    (files / "meta.csv").write_text("run,date\nold,2021-01-01\n")
    outcome = toprung("timeline", "--ranks", "ranks.csv", "--dates", "meta.csv")
    assert outcome.code == 2
    assert "dates: found none for new and late; expected one for every run but baselines." in outcome.err
