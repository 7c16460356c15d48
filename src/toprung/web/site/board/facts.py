"""What is ranked on a board, in short? The line of facts that stands below its name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from toprung.web.core.access.viewer import Viewer
from toprung.web.services.shown.board.counts import RunCounts
from toprung.words.wording import say_queries


@dataclass(frozen=True, kw_only=True)
class BoardFact:
    """One of them."""

    text: str
    url: str = ""
    is_more: bool = False
    """Whether a small screen leaves it out."""


def list_facts(viewer: Viewer, counts: RunCounts, content: dict[str, Any] | None) -> Iterator[BoardFact]:
    """Queries, answers, measure, labels, runs, and when it opens and closes."""
    board, labels = viewer.board, viewer.labels()
    if labels is None:
        yield BoardFact(text="no labels yet")
    else:
        hidden = ", labels hidden" if labels.is_hidden else ""
        yield BoardFact(text=f"{say_queries(labels.n_queries)}{hidden}")
    if content is not None and content["labels_are"]:
        yield BoardFact(text=content["labels_are"])
    yield BoardFact(text=f"official measure {board.official_measure}")
    if labels is not None:
        has_versions = board.shown_version > 1
        about = f"{reverse('about', args=[board.slug])}#labels"
        url = f"{reverse('label_versions', args=[board.slug])}{viewer.as_of}" if has_versions else about
        yield BoardFact(text=str(labels), url=url, is_more=True)
    yield BoardFact(text=str(counts), is_more=True)
    if board.is_ahead:
        yield BoardFact(text=f"opens {board.opens_at:%Y-%m-%d}", is_more=True)
    if board.closes_at is not None:
        closes = "closed" if board.is_closed else "closes"
        yield BoardFact(text=f"{closes} {board.closes_at:%Y-%m-%d}", is_more=True)
