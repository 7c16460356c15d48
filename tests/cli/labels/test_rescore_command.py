from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.errors import FormatError, InputError, MeasureError
from toprung.report.render import OutputFormat

OLD = "q1 0 O 1\nq2 0 O 1\nq3 0 O 1\n"
NEW = "q1 0 N 1\nq2 0 O 1\n"
FIRST_OLD = "q1 Q0 O 1 2 r\nq1 Q0 N 2 1 r\nq2 Q0 O 1 2 r\nq3 Q0 O 1 1 r\n"
FIRST_NEW = "q1 Q0 N 1 2 r\nq1 Q0 O 2 1 r\nq2 Q0 O 1 2 r\nq3 Q0 X 1 1 r\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"old.qrels": OLD, "new.qrels": NEW, "o.run": FIRST_OLD, "n.run": FIRST_NEW}.items():
        Path(name).write_text(text)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["labels", "rescore", *arguments])


def test_the_first_line_is_the_sentence_and_the_table_follows() -> None:
    found = run("old.qrels", "new.qrels", "o.run", "n.run")
    assert found.exit_code == 0, found.output
    lines = found.output.splitlines()
    assert lines[0].startswith("n has the highest RR@10 under the new labels, 1.0000 (place 2 of 2 before).")
    assert lines[2].startswith("run ")
    assert any(line.startswith("perfect ranking") for line in lines)


def test_measure_top_and_seed_are_taken() -> None:
    found = json.loads(
        run(
            "old.qrels", "new.qrels", "o.run", "n.run", "-m", "nDCG@5", "--top", "2", "--seed", "4", "-f", "json"
        ).output
    )
    assert (found["measure"], found["top"], found["provenance"]["seed"]) == ("nDCG@5", 2, 4)


def test_csv_has_one_row_a_run() -> None:
    rows = list(csv.DictReader(io.StringIO(run("old.qrels", "new.qrels", "o.run", "n.run", "-f", "csv").output)))
    assert [(row["run"], row["before"], row["after"], row["move"]) for row in rows] == [
        ("n", "0.75", "1.0", "1"),
        ("o", "1.0", "0.75", "-1"),
    ]


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_is_written_to_a_file(output_format: str) -> None:
    found = run("old.qrels", "new.qrels", "o.run", "-f", output_format, "-o", "out")
    assert (found.exit_code, found.output) == (0, "")
    assert "RR@10" in Path("out").read_text(encoding="utf-8") or output_format == "csv"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("old.qrels", "none.qrels", "o.run"), OSError, "none.qrels"),
        (("old.qrels", "new.qrels", "o.run", "-m", "nonsense"), MeasureError, "nonsense"),
        (("old.qrels", "other.qrels", "o.run"), InputError, "found no query with a relevant document"),
        (("old.qrels", "torn.qrels", "o.run"), FormatError, "torn.qrels"),
        (("old.qrels", "new.qrels", "o.run", "o.run"), InputError, "Found two runs called"),
    ],
)
def test_what_cannot_be_rescored_is_refused_in_one_line(
    arguments: tuple[str, ...], error: type[Exception], message: str
) -> None:
    Path("other.qrels").write_text("x 0 d 1\n")
    Path("torn.qrels").write_text("q1 0\n")
    found = run(*arguments)
    assert isinstance(found.exception, error), found.exception
    assert message in str(found.exception)
