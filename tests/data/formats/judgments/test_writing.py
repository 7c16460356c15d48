"""Judgments for other tools come back as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from toprung.data.formats.judgments.files import read_judgments
from toprung.data.formats.judgments.writing import WRITERS, write_judgments
from toprung.data.judgments import Choice, Judgment, Judgments
from toprung.errors import InputError


def judgment(number: int, choice: Choice, **changes: object) -> Judgment:
    fields = {"query_id": "q1", "left": f"a{number}", "right": "b", "assessor": "w1"} | changes
    return Judgment(judgment_id=f"j{number}", choice=choice, **fields)  # type: ignore[arg-type]  # given by name


DECIDED = [judgment(1, Choice.LEFT), judgment(2, Choice.RIGHT, assessor="w2"), judgment(3, Choice.LEFT, query_id="q2")]


@pytest.mark.parametrize("name", WRITERS)
def test_votes_come_back_from_every_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / "out"
    write_judgments(Judgments.of(DECIDED), path, format=name)
    found = read_judgments(path)
    assert found.format == name
    assert not found.warnings
    for before, after in zip(DECIDED, found.judgments.rows, strict=True):
        assert (after.query_id, after.left, after.right, after.choice) == (
            before.query_id,
            before.left,
            before.right,
            before.choice,
        )
        assert after.assessor == ("" if name == "waterloo" else before.assessor)


@pytest.mark.parametrize("name", ["jsonl", "evalica", "arena", "mturk"])
def test_ties_come_back_where_there_is_a_word_for_them(tmp_path: Path, name: str) -> None:
    write_judgments(Judgments.of([judgment(1, Choice.TIE)]), tmp_path / "out", format=name)
    assert [each.choice for each in read_judgments(tmp_path / "out").judgments.rows] == [Choice.TIE]


@pytest.mark.parametrize("name", ["waterloo", "crowd-kit", "label-studio"])
def test_ties_are_refused_where_there_is_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="Found 1 tie; expected none"):
        write_judgments(Judgments.of([judgment(1, Choice.TIE)]), tmp_path / "out", format=name)
    assert list(tmp_path.iterdir()) == []


def test_only_our_own_format_keeps_what_is_no_vote(tmp_path: Path) -> None:
    rows = [
        judgment(1, Choice.LEFT),
        judgment(2, Choice.SKIP),
        judgment(3, Choice.LEFT, is_gold=True),
        judgment(4, Choice.RIGHT, supersedes="j1"),
    ]
    write_judgments(Judgments.of(rows), tmp_path / "all.jsonl")
    assert read_judgments(tmp_path / "all.jsonl").judgments.rows == tuple(rows)
    write_judgments(Judgments.of(rows), tmp_path / "votes.csv", format="evalica")
    assert [each.left for each in read_judgments(tmp_path / "votes.csv").judgments.rows] == ["a4"]


def test_ids_with_blanks_do_not_fit_a_text_of_columns(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Found id 'a b'"):
        write_judgments(Judgments.of([judgment(1, Choice.LEFT, left="a b")]), tmp_path / "out", format="waterloo")


def test_formats_that_need_more_than_judgments_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Found format 'arabzadeh'; expected one that can be written: jsonl, waterloo"):
        write_judgments(Judgments.of(DECIDED), tmp_path / "out", format="arabzadeh")
