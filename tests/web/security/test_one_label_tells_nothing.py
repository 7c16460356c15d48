"""A run that changes one query of a small hidden board changes nothing that anyone but organisers is shown.

The same files are sent under two labels of one query. What is shown is compared word by word: pages, headers, files,
charts, feed, badges, preview picture, API, mails, webhooks, and the copy that `toprung publish` writes. So it is when
the rung returns, after a void and a withdrawal.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from django.core import mail
from django.db import transaction
from django.test import override_settings
from tests.web.hook_bodies import sent_to_hook
from tests.web.kept_world import MAIL
from tests.web.probing import STARTS, Probed, mails, make_probed, published, steady_content, walk

from toprung.web.core.config.environment import Environment
from toprung.web.site.board import pictures
from toprung.web.site.share import card

pytestmark = pytest.mark.django_db
RELEASES = ["board-ladder:auto", "ladder:0.01", "closed:2199-01-01"]
CASES = [*((release, False) for release in RELEASES), ("board-ladder:auto", True), ("ladder:0.01", True)]


def seen_in(
    release: str, relevant: str, is_taken_back: bool, folder: Path
) -> tuple[dict[str, dict[str, str]], list[str], Probed]:
    mail.outbox.clear()
    with transaction.atomic():
        probed = make_probed(release, relevant, is_taken_back=is_taken_back)
        people = {"prober": probed.prober, "anonymous": None}
        seen = {who: walk(person) for who, person in people.items()}
        seen["published"] = published(probed.board, folder / relevant)
        called = steady_content(sent_to_hook(probed.board).encode())
        transaction.set_rollback(True)
    return seen, [*mails(), called], probed


def first_difference(url: str, one: str, other: str) -> str:
    place = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{url}: {one[max(0, place - 40) : place + 40]!r} or {other[max(0, place - 40) : place + 40]!r}"


@pytest.mark.parametrize(("release", "is_taken_back"), CASES)
def test_nothing_shown_depends_on_the_label(
    release: str, is_taken_back: bool, settings: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is painted is compared as its drawing: in a PDF or a picture nobody finds the times that may differ."""
    for module in (pictures, card):
        monkeypatch.setattr(module, "find_painted", lambda drawing, *_, **__: drawing.encode())
    environment: Environment = settings.ENVIRONMENT  # type: ignore[attr-defined]
    with override_settings(ENVIRONMENT=replace(environment, mail=MAIL)):
        (right, sent, scored), (wrong, sent_else, scored_else) = (
            seen_in(release, relevant, is_taken_back, tmp_path) for relevant in ("this", "that")
        )
    assert (scored.probe.score or 0) > (scored_else.probe.score or 0), "the probe would tell, if it were shown"
    assert scored.probe.shown_score is None
    if release == "board-ladder:auto" and not is_taken_back:  # so that what is asked for is there
        told_nobody = {f"/b/small/significance.{ending}" for ending in ("csv", "json", "tex")}
        told_nobody.add("/api/v1/boards/small/compare?b=R3&a=R1")
        assert {url for url in STARTS if not right["anonymous"][url].startswith("200")} == told_nobody
    for who, pages in right.items():
        assert list(pages) == list(wrong[who])
        told = [first_difference(url, page, wrong[who][url]) for url, page in pages.items() if page != wrong[who][url]]
        assert told == [], who
        if who == "published" and release.startswith("closed"):  # no run has a page there until the day has come
            assert any("history" in url for url in pages)
            continue
        assert len(pages) > (20 if who == "published" else 40)
        assert [url for url in pages if "runs/R3" in url]
    assert sent == sent_else
    assert any("probe" in each for each in sent)
