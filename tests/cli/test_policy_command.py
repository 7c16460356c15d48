from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.errors import InputError
from toprung.report.render import OutputFormat

SUBMISSIONS = """run,team,date,embargo_until
first,Halden,2021-05-01,
copy,Halden,2021-05-02,2022-05-02
third,Halden,2021-05-20,
other,Norrland,2021-05-20,
"""
RUN = "q1 Q0 a 1 9 t\nq1 Q0 b 2 8 t\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("submissions.csv").write_text(SUBMISSIONS)
    for name, text in {"first": RUN, "copy": RUN, "third": RUN.replace(" a ", " x ").replace(" b ", " y ")}.items():
        Path(f"{name}.run").write_text(text)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["policy", *arguments])


def test_without_runs_windows_and_embargoes_are_audited() -> None:
    done = run("submissions.csv")
    assert done.exit_code == 0
    assert done.output.splitlines()[0] == (
        "Of 4 submissions by 2 teams, 2 broke the policy: 1 came too soon, 1 asked for too long an embargo; "
        "small changes were not looked for without the runs."
    )


def test_with_runs_small_changes_are_found() -> None:
    done = run("submissions.csv", "first.run", "copy.run", "third.run", "-f", "csv")
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(done.output))}
    copy = rows["copy"]
    assert (copy["is_small_change"], copy["closest_run"], copy["rbo"]) == ("True", "first", "1.0")
    assert (rows["third"]["is_small_change"], rows["third"]["came_too_soon"]) == ("False", "True")


def test_the_rules_can_be_set() -> None:
    rules = ["--limit", "3", "--days", "10", "--embargo-months", "12"]
    closeness = ["--rbo", "1", "--identical", "1", "--depth", "1"]
    done = json.loads(run("submissions.csv", *rules, *closeness, "-f", "json").output)
    assert done["sentence"].startswith("Of 4 submissions by 2 teams, none broke the policy")
    assert done["provenance"]["window"] == "3 in 10 days"
    assert done["provenance"]["small_changes"]["depth"] == 1


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-01", "2021-05-01"])
@pytest.mark.parametrize("rule", [(), ("--days", "1000000"), ("--embargo-months", "100000"), ("--limit", "1")])
def test_rules_and_dates_beyond_the_calendar_are_no_fault(day: str, rule: tuple[str, ...]) -> None:
    Path("edge.csv").write_text(f"run,team,date\na,t,{day}\nb,t,{day}\nc,t,{day}\n")
    for output_format in OutputFormat:
        done = run("edge.csv", *rule, "-f", output_format)
        assert done.exit_code == 0, done.exception
    assert day in run("edge.csv", *rule).output


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_is_written_to_a_file(output_format: str) -> None:
    done = run("submissions.csv", "first.run", "--format", output_format, "--output", "out")
    assert (done.exit_code, done.output) == (0, "")
    assert "Halden" in Path("out").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["first.run"], "columns"),
        (["submissions.csv", "first.run", "first.run"], "Found two runs called 'first'"),
    ],
)
def test_what_cannot_be_audited_is_refused_in_one_line(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)
