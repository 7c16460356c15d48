"""New best answers in the place of old ones: what is not decided, or is to be kept, stays as it was."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from toprung.cli.main import app


def merge(folder: Path, *more: str) -> Result:
    (folder / "old.txt").write_text("q1 0 a 2\nq1 0 b 1\nq2 0 a 1\nq3 0 a 1\nq4 0 a 1\n")
    (folder / "new.txt").write_text("q1 0 c 1\nq2 0 d 1\nq3 0 a 1\n")
    files = [str(folder / name) for name in ("old.txt", "new.txt")]
    return CliRunner().invoke(app, ["labels", "merge", *files, "--output", str(folder / "next.txt"), *more])


def test_the_whole_next_version_is_written(tmp_path: Path) -> None:
    """The best of q1 gets the grade 2 and the one before it 1; q2 had one label, which goes; q3 and q4 stay."""
    done = merge(tmp_path)
    assert done.exit_code == 0, done.output
    found = {tuple(line.split()) for line in (tmp_path / "next.txt").read_text().splitlines()}
    q1 = {("q1", "0", "c", "2"), ("q1", "0", "a", "1"), ("q1", "0", "b", "1")}
    assert found == q1 | {("q2", "0", "d", "1"), ("q3", "0", "a", "1"), ("q4", "0", "a", "1")}
    assert "4 queries, 2 with another best answer." in done.output


def test_a_query_can_be_kept(tmp_path: Path) -> None:
    assert "1 with another best answer" in merge(tmp_path, "--keep", "q2").output
    assert "q2 0 a 1" in (tmp_path / "next.txt").read_text()
    assert "--keep: found 'q9'; expected queries of" in str(merge(tmp_path, "--keep", "q9").exception)
