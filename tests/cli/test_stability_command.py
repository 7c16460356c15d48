from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.errors import InputError
from toprung.report.render import OutputFormat

# best is above good, and good above poor, on every one of 24 queries.
SCORES = "qid,poor,good,best\n" + "".join(f"q{n},{0.01 * n},{0.3 + 0.01 * n},{0.6 + 0.005 * n}\n" for n in range(24))
RANKS = "qid,poor,good\n" + "".join(f"q{n},{5 + n % 3},{1 + n % 2}\n" for n in range(24))
QRELS = "q1 0 a 1\nq2 0 b 1\nq3 0 c 1\n"
OTHER_QRELS = "q1 0 x 1\nq2 0 y 1\nq3 0 z 1\n"
GOOD = "q1 Q0 a 1 2 good\nq1 Q0 x 2 1 good\nq2 Q0 b 1 2 good\nq3 Q0 c 1 2 good\n"
POOR = "q1 Q0 x 1 2 poor\nq1 Q0 a 2 1 poor\nq2 Q0 y 1 2 poor\nq3 Q0 z 1 2 poor\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "scores.csv": SCORES,
        "ranks.csv": RANKS,
        "qrels.txt": QRELS,
        "other.txt": OTHER_QRELS,
        "good.run": GOOD,
        "poor.run": POOR,
        "public.txt": "q1\nq2\n",
        "private.tsv": "q3\twhat is it\n",
        "elsewhere.txt": "q99\n",
    }
    for name, text in texts.items():
        Path(name).write_text(text)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["stability", *arguments])


def json_of(*arguments: str) -> dict[str, object]:
    found = run(*arguments, "--format", "json")
    assert found.exit_code == 0, found.exception
    loaded: dict[str, object] = json.loads(found.output)
    return loaded


def conditions_of(*arguments: str) -> dict[str, list[str]]:
    conditions = json_of(*arguments)["conditions"]
    assert isinstance(conditions, list)
    return {each["name"]: [row["run"] for row in each["runs"]] for each in conditions}


def test_the_first_line_is_the_sentence() -> None:
    assert run("--scores", "scores.csv").output.splitlines()[0] == (
        "best stands first in 100.0% of 1,000 bootstrap trials; at 95% confidence only best may be best."
    )


def test_ranks_and_names_of_runs_are_taken() -> None:
    assert conditions_of("--ranks", "ranks.csv") == {"": ["good", "poor"]}
    assert conditions_of("--scores", "scores.csv", "poor", "best") == {"": ["best", "poor"]}


def test_labels_and_runs_are_scored() -> None:
    found = json_of("qrels.txt", "poor.run", "good.run")
    (condition,) = found["conditions"]  # type: ignore[misc]
    assert (condition["measure"], condition["n_queries"]) == ("RR@10", 3)
    assert [(row["run"], row["score"]) for row in condition["runs"]] == [("good", 1.0), ("poor", pytest.approx(1 / 6))]


def test_every_combination_of_measure_labels_and_queries_is_a_condition() -> None:
    found = conditions_of(
        *("qrels.txt", "poor.run", "good.run", "-m", "RR@10", "-m", "P@1"),
        *("--labels", "new=other.txt", "--queries", "public=public.txt", "--queries", "private=private.tsv"),
    )
    assert found == {
        "RR@10 / qrels / public": ["good", "poor"],
        "RR@10 / qrels / private": ["good", "poor"],
        "P@1 / qrels / public": ["good", "poor"],
        "P@1 / qrels / private": ["good", "poor"],
        "RR@10 / new / public": ["poor", "good"],
        "RR@10 / new / private": ["poor", "good"],
        "P@1 / new / public": ["poor", "good"],
        "P@1 / new / private": ["poor", "good"],
    }


def test_names_say_only_what_differs() -> None:
    runs = ("qrels.txt", "poor.run", "good.run")
    assert list(conditions_of(*runs, "-m", "P@1")) == [""]
    assert list(conditions_of(*runs, "-m", "P@1", "-m", "P@3")) == ["P@1", "P@3"]
    assert list(conditions_of(*runs, "--labels", "new=other.txt")) == ["qrels", "new"]
    assert list(conditions_of(*runs, "--queries", "public=public.txt")) == ["public"]
    assert list(conditions_of("--scores", "scores.csv", "--queries", "public=public.txt")) == ["public"]


def test_files_without_a_name_are_called_as_everywhere() -> None:
    Path("labels.qrels.gz").write_bytes(gzip.compress(QRELS.encode()))
    runs = ("labels.qrels.gz", "poor.run", "good.run")
    found = conditions_of(*runs, "--labels", "other.txt", "--queries", "public.txt")
    assert list(found) == ["labels / public", "other / public"]


def test_queries_restrict_what_is_drawn() -> None:
    found = json_of("--scores", "scores.csv", "--queries", "public=public.txt")
    assert found["conditions"][0]["n_queries"] == 2  # type: ignore[index]


def test_follow_top_trials_alpha_tau_and_seed_are_taken() -> None:
    arguments = ("--trials", "50", "--alpha", "0.1", "--tau", "2", "--seed", "7", "--top", "2")
    found = run("--scores", "scores.csv", *arguments, "--follow", "poor", "--follow", "best")
    table = found.output.splitlines()[2:5]
    assert table[0].split("  ")[-1].strip() == "may be in best 2"
    assert "90% interval" in table[0]
    assert "rank 2" in table[0]
    assert "rank 3" not in table[0]
    assert [row.split()[1] for row in table[1:]] == ["best", "poor"]
    provenance = json_of("--scores", "scores.csv", *arguments)["provenance"]
    assert provenance["trials"] == 50  # type: ignore[index]
    assert provenance["confidence"] == 0.9  # type: ignore[index]
    assert provenance["tau"] == 2  # type: ignore[index]
    assert provenance["seed"] == 7  # type: ignore[index]


def test_csv_has_every_run_and_rank() -> None:
    rows = list(csv.DictReader(io.StringIO(run("--scores", "scores.csv", "-f", "csv").output)))
    assert [(row["run"], row["rank"], float(row["share"])) for row in rows[:4]] == [
        ("best", "1", 1.0),
        ("best", "2", 0.0),
        ("best", "3", 0.0),
        ("good", "1", 0.0),
    ]
    assert len(rows) == 9


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_is_written_to_a_file(output_format: str) -> None:
    found = run("--scores", "scores.csv", "--format", output_format, "--output", "out")
    assert (found.exit_code, found.output) == (0, "")
    assert "good" in Path("out").read_text(encoding="utf-8")


def test_latex_has_the_published_table() -> None:
    assert r"Leaderboard run & 1 & 2 & 3 \\" in run("--scores", "scores.csv", "-f", "latex").output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Found no runs; expected QRELS RUN..."),
        (["qrels.txt", "good.run"], "Found 1 run; expected at least two"),
        (["--scores", "scores.csv", "best", "worst"], "Found no run 'worst'"),
        (["--scores", "scores.csv", "-m", "RR", "-m", "AP"], "several measures with a matrix"),
        (["--scores", "scores.csv", "--labels", "new=other.txt"], "Found --labels or several measures with a matrix"),
        (["--scores", "scores.csv", "--follow", "worst"], "follow: found no run 'worst'"),
        (["--scores", "scores.csv", "--tau", "9"], "tau: found 9; expected a whole number from 1 to 3"),
        (["--scores", "scores.csv", "--queries", "=public.txt"], "--queries: found '=public.txt'; expected FILE, or"),
        (["--scores", "scores.csv", "--queries", "a=public.txt", "--queries", "a=public.txt"], "'a' twice"),
        (["--scores", "scores.csv", "--queries", "none=elsewhere.txt"], "none: found 1 query, none of them"),
        (
            ["qrels.txt", "good.run", "poor.run", "-m", "RR", "-m", "AP", "--queries", "none=elsewhere.txt"],
            "RR / none: found 1 query, none of them with values",
        ),
        (["qrels.txt", "good.run", "poor.run", "--labels", "qrels=other.txt"], "--labels: found 'qrels', the name of"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(arguments: list[str], message: str) -> None:
    found = run(*arguments)
    assert isinstance(found.exception, InputError)
    assert message in str(found.exception)


def test_a_missing_file_of_queries_is_an_error_that_names_it() -> None:
    found = run("--scores", "scores.csv", "--queries", "a=nowhere.txt")
    assert found.exit_code != 0
    assert "nowhere.txt" in str(found.exception)
