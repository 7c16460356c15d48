"""New best answers in the place of old ones: what is not decided, or is to be kept, stays as it was."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from toprung.cli.main import app


def merge(folder: Path, *more: str, old: str = "q1 0 a 1\nq1 0 b 1\nq2 0 a 1\nq3 0 a 1\nq4 0 a 1\n") -> Result:
    (folder / "old.txt").write_text(old)
    (folder / "new.txt").write_text("q1 0 c 1\nq2 0 d 1\nq3 0 a 1\n")
    files = [str(folder / name) for name in ("old.txt", "new.txt")]
    return CliRunner().invoke(app, ["labels", "merge", *files, "--output", str(folder / "next.txt"), *more])


def test_the_whole_next_version_is_written(tmp_path: Path) -> None:
    """The new best answers of q1 and q2 take the place of the old ones; q3 and q4 stay."""
    done = merge(tmp_path)
    assert done.exit_code == 0, done.output
    found = {tuple(line.split()) for line in (tmp_path / "next.txt").read_text().splitlines()}
    changed = {("q1", "0", "c", "1"), ("q2", "0", "d", "1")}
    assert found == changed | {("q3", "0", "a", "1"), ("q4", "0", "a", "1")}
    assert "4 queries, 2 with another best answer." in done.output


def test_a_query_can_be_kept(tmp_path: Path) -> None:
    assert "1 with another best answer" in merge(tmp_path, "--keep", "q2").output
    assert "q2 0 a 1" in (tmp_path / "next.txt").read_text()
    assert "--keep: found 'q9'; expected queries of" in str(merge(tmp_path, "--keep", "q9").exception)


def test_graded_labels_lose_nothing(tmp_path: Path) -> None:
    """In q1 the grade 2 of a would become 1, and b, judged not relevant, would go; q2 would lose its answer."""
    done = merge(tmp_path, old="q1 0 a 2\nq1 0 b 0\nq2 0 a 1\nq3 0 a 1\n")
    old, new = (str(tmp_path / name) for name in ("old.txt", "new.txt"))
    assert str(done.exception) == (
        f"{new} would leave out 2 of the 4 judged documents of {old} and lower 1 grade (queries q1 and q2); expected "
        "every judged document to keep its grade or get a higher one. Nothing was written. `--keep q1 --keep q2` keeps "
        "the old labels of these queries."
    )
    assert not (tmp_path / "next.txt").exists()


def test_several_relevant_documents_of_one_grade_are_not_replaced(tmp_path: Path) -> None:
    done = merge(tmp_path, old="".join(f"q1 0 {doc} 1\n" for doc in "abde"))
    assert "would leave out 4 of the 4 judged documents" in str(done.exception)
    assert str(done.exception).endswith("`--keep q1` keeps the old labels of that query.")
    assert not (tmp_path / "next.txt").exists()


def test_graded_labels_take_what_loses_nothing(tmp_path: Path) -> None:
    done = merge(tmp_path, "--keep", "q1", "--keep", "q2", old="q1 0 a 2\nq1 0 b 0\nq2 0 a 1\nq3 0 a 1\n")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "next.txt").read_text().splitlines() == ["q1 0 a 2", "q1 0 b 0", "q2 0 a 1", "q3 0 a 1"]
