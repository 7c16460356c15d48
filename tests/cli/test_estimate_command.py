from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app, main
from toprung.errors import InputError

BOARD = Path(__file__).parents[2] / "docs/examples/board"
FILES = [str(BOARD / "people.qrels"), *(str(BOARD / f"{name}.run.gz") for name in ("bm25", "late-1", "rerank2"))]
MODEL = ["--model-qrels", str(BOARD / "model.qrels"), "-m", "nDCG@5"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["estimate", *arguments])


def test_the_sentence_says_who_may_be_best_and_what_the_labels_are_worth() -> None:
    found = run(*FILES, *MODEL, "--human-sample", "random")
    assert found.exit_code == 0, found.output
    assert found.output.startswith("rerank2 does best, beyond chance. With the model's labels of 120, 30 queries ")
    assert "Beyond chance the model favours bm25 (+" in found.output


def test_without_a_word_about_the_sample_nothing_is_estimated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["toprung", "estimate", *FILES, *MODEL])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("toprung: Found nothing that says how the queries were chosen that people judged; expected ")


def test_json_is_read_by_programs() -> None:
    found = run(*FILES, *MODEL, "--human-sample", "random", "-f", "json", "--seed", "1")
    told = json.loads(found.output)
    assert [row["run"] for row in told["runs"]] == ["rerank2", "late-1", "bm25"]
    assert (told["provenance"]["seed"], told["provenance"]["human_sample"]) == (1, "declared random")


def test_the_model_s_labels_are_needed() -> None:
    found = run(*FILES, "--human-sample", "random")
    assert found.exit_code == 2
    assert "--model-qrels" in found.output


def test_labels_of_other_queries_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.qrels"
    other.write_text("x1 0 d 1\nx2 0 d 1\n")
    found = run(*FILES, "--model-qrels", str(other), "--human-sample", "random")
    assert isinstance(found.exception, InputError)
    assert "Do the two files use the same query ids?" in str(found.exception)
