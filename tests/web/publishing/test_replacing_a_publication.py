"""A published board comes into its folder whole, in the place of the one before; nothing else is ever deleted."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from django.utils import timezone
from tests.web.published import SITE, copy_of_publication, find_dead_links, names_in
from tests.web.viewing import Viewed

from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.ops.publish import publish as publishing
from toprung.web.ops.publish.publish import publish_board


@pytest.fixture
def site(viewed: Viewed, kept_publication: Path, tmp_path: Path) -> Path:
    """The board of the tests of pages, published."""
    return copy_of_publication(viewed.board, kept_publication, tmp_path / "site")


def test_the_same_board_gives_the_same_bytes(viewed: Viewed, tmp_path: Path) -> None:
    """Comparisons that nobody asked for yet are made by the first copy, and kept for the second."""
    site, again = tmp_path / "site", tmp_path / "again"
    for folder in (site, again):
        publish_board(viewed.board, folder, site=SITE)
    assert names_in(again) == names_in(site)
    assert (again / "SHA256SUMS").read_text() == (site / "SHA256SUMS").read_text()


def test_digests_are_those_of_all_files(site: Path) -> None:
    sums = dict(reversed(line.split("  ")) for line in (site / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == set(names_in(site)) - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert hashlib.sha256((site / name).read_bytes()).hexdigest() == digest
    manifest = json.loads((site / "manifest.json").read_text())
    assert (manifest["format"], manifest["board"], manifest["address"]) == (
        "toprung-publication",
        "web-docs",
        f"{SITE}/b/web-docs/",
    )
    assert {each["name"]: each["sha256"] for each in manifest["members"]} | {
        "manifest.json": sums["manifest.json"]
    } == sums


def test_everybody_may_read_it(site: Path) -> None:
    assert {path.stat().st_mode & 0o777 for path in site.rglob("*") if path.is_file()} == {0o644}
    assert {path.stat().st_mode & 0o777 for path in (site, *site.rglob("*")) if path.is_dir()} == {0o755}


def test_an_earlier_copy_is_replaced_whole(viewed: Viewed, site: Path) -> None:
    viewed.board.submissions.filter(run_id="R1").update(withdrawn_at=timezone.now())
    before = set(names_in(site))
    publish_board(viewed.board, site)
    assert "compare-a-B1-b-R1.html" in before - set(names_in(site))
    assert find_dead_links(site) == []
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_an_empty_folder_is_filled(viewed: Viewed, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    publish_board(viewed.board, tmp_path / "empty")
    assert (tmp_path / "empty/index.html").exists()


def test_a_folder_with_something_else_is_refused_and_left_alone(viewed: Viewed, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("Years of work.")
    with pytest.raises(InputError, match="something else"):
        publish_board(viewed.board, tmp_path / "mine")
    assert names_in(tmp_path) == ["mine/thesis.tex"]


@pytest.mark.parametrize("change", ["add", "edit", "link", "claim"])
def test_a_copy_that_somebody_touched_is_refused_and_left_alone(viewed: Viewed, site: Path, change: str) -> None:
    if change == "add":
        (site / "runs/notes.txt").write_text("Mine.")
    elif change == "edit":
        (site / "about.html").write_text("Mine.")
    elif change == "link":
        (site / "elsewhere").symlink_to(site.parent)
    else:
        (site / "manifest.json").write_text(json.dumps({"format": "toprung-publication", "members": []}))
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    with pytest.raises(InputError, match="found"):
        publish_board(viewed.board, site)
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before


def test_a_file_in_the_place_of_the_folder_is_refused(viewed: Viewed, tmp_path: Path) -> None:
    (tmp_path / "site").write_text("A file.")
    with pytest.raises(InputError, match="found a file"):
        publish_board(viewed.board, tmp_path / "site")
    assert (tmp_path / "site").read_text() == "A file."


def test_what_goes_wrong_leaves_the_earlier_copy(viewed: Viewed, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (site / "SHA256SUMS").read_text()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(publishing, "link_pages", fail)
    with pytest.raises(OSError, match="No space"):
        publish_board(viewed.board, site)
    assert (site / "SHA256SUMS").read_text() == before
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_a_board_that_changes_meanwhile_is_read_again(
    viewed: Viewed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages before and after a change do not belong together."""
    link, changes = publishing.link_pages, iter([True, False])

    def change_once(found: object, folder: Path) -> None:
        link(found, folder)  # type: ignore[arg-type]  # handed on
        if next(changes):
            viewed.board.submissions.filter(run_id="R4").update(withdrawn_at=timezone.now())

    monkeypatch.setattr(publishing, "link_pages", change_once)
    publish_board(viewed.board, tmp_path / "site")
    assert "compare-a-R2-b-R4.html" not in names_in(tmp_path / "site")
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_board_that_keeps_changing_is_refused(
    viewed: Viewed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(*_: object) -> None:
        Board.objects.filter(pk=viewed.board.pk).update(title=timezone.now().isoformat())

    monkeypatch.setattr(publishing, "add_static_files", change)
    with pytest.raises(InputError, match="quieter moment"):
        publish_board(viewed.board, tmp_path / "site")
    assert list(tmp_path.iterdir()) == []
