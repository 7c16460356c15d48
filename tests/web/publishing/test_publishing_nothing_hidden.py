"""Hidden means hidden in a published board too: no file tells a label, an exact score, a name under an embargo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.http import HttpResponse
from tests.web.busy_boards import RELEASES, World, slug_of
from tests.web.hidden_things import PAINTED, Secrets, find_leaks
from tests.web.published import find_dead_links, names_in

from toprung.web.ops.publish.publish import publish_board

pytestmark = [pytest.mark.django_db, pytest.mark.figures]
TYPES = {
    ".html": "text/html",
    ".json": "application/json",
    ".csv": "text/csv",
    ".tex": "text/x-tex",
    ".txt": "text/plain",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".js": "text/javascript",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".atom": "application/atom+xml",
    ".xml": "application/xml",
    "": "text/plain",
}
SHARES = re.compile(r'"shares": {[^}]*},')
"""Of queries by outcome: to 0.1%, which may happen to be some score."""


@pytest.mark.parametrize("slug", [slug_of(release) for release in RELEASES])
def test_no_file_tells_what_is_hidden(world: World, slug: str, tmp_path: Path) -> None:
    busy, leaks = world.boards[slug], []
    publish_board(busy.board, tmp_path / "site")
    secrets, names = Secrets.of(world, busy, "anonymous"), names_in(tmp_path / "site")
    assert len(names) > 40
    for name in names:
        if name.startswith("static/") or name in ("manifest.json", "SHA256SUMS"):  # digests of what is looked at here
            continue
        content, kind = (tmp_path / "site" / name).read_bytes(), TYPES[Path(name).suffix]
        if kind not in PAINTED:
            content = SHARES.sub("", content.decode()).encode()
        answer = HttpResponse(content, content_type=kind)
        leaks += [f"{name}: {leak}" for leak in find_leaks(answer, secrets)]
    assert leaks == []
    assert find_dead_links(tmp_path / "site") == []


def test_runs_that_are_not_done_have_no_file(world: World, tmp_path: Path) -> None:
    publish_board(world.boards["ladder"].board, tmp_path / "site")
    names = names_in(tmp_path / "site")
    assert "runs/R9.html" not in names  # waits
    assert "runs/R10.html" not in names  # failed
    assert "runs/R7.html" in names  # withdrawn: its claim is on record
    assert "teams/quokka-hideout.html" not in names
