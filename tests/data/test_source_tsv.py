"""Votes as the source writes them: what is read back is the same; what has no label in it is counted."""

from __future__ import annotations

from pathlib import Path

from toprung.data.formats.judgments.files import read_judgments
from toprung.data.formats.judgments.rows import JudgmentFormat
from toprung.data.formats.judgments.source_tsv import to_source_tsv
from toprung.data.judgments import Choice, Judgment, Judgments


def vote(an_id: str, left: str, right: str, choice: Choice, **more: bool) -> Judgment:
    return Judgment(judgment_id=an_id, query_id="q1", left=left, right=right, choice=choice, **more)


VOTES = Judgments.of(
    [
        vote("1", "label", "x", Choice.LEFT),
        vote("2", "x", "label", Choice.LEFT),
        vote("3", "x", "y", Choice.LEFT),
        vote("4", "y", "label", Choice.TIE),
        vote("5", "label", "z", Choice.SKIP),
        vote("6", "label", "z", Choice.LEFT, is_gold=True),
    ]
)


def test_it_is_written_as_the_source_has_it_and_read_back(tmp_path: Path) -> None:
    texts = {"label": "The label\tsays\nso.", "x": "Another."}
    found = to_source_tsv(VOTES, labels={"q1": ["label"]}, queries={"q1": "what is it"}, documents=texts)
    assert found.n_left_out == 1
    assert found.text.splitlines() == [
        "query id\tquery\tcategory\tpreference\tqrel id\tqrel text\tother id\tother text",
        "q1\twhat is it\tB\tqrel\tlabel\tThe label says so.\tx\tAnother.",
        "q1\twhat is it\tB\tother\tlabel\tThe label says so.\tx\tAnother.",
        "q1\twhat is it\tB\ttie\tlabel\tThe label says so.\ty\t",
    ]
    (tmp_path / "source.tsv").write_text(found.text)
    read = read_judgments(tmp_path / "source.tsv", format=JudgmentFormat.ARABZADEH).judgments
    assert [(each.left, each.right, each.choice) for each in read.rows] == [
        ("label", "x", Choice.LEFT),
        ("label", "x", Choice.RIGHT),
        ("label", "y", Choice.TIE),
    ]
