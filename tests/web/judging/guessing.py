"""Someone who does not read, and guesses which pairs are golds from all else: sizes, headers, ids, order, time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from django.http import HttpResponse
from django.test import Client
from numpy.typing import NDArray
from tests.web.judging.areas import auc, guess, standard_error
from tests.web.judging.walking import JSON, Walker
from tests.web.judging.world import JudgingWorld

from toprung.web.core.models.people import User
from toprung.web.services.judging.desk import at_desk

FEATURES = (
    "place in the task",
    "number in the form",
    "bytes of the page",
    "bytes of its headers",
    "cookies set",
    "id of the answer",
    "CPU of the page",
    "bytes of the reply",
    "bytes of its headers, too",
    "CPU of the reply",
)


@dataclass
class Seen:
    """What came with each pair, and which of them were golds."""

    rows: list[list[float]] = field(default_factory=list)
    is_gold: list[bool] = field(default_factory=list)

    @property
    def features(self) -> NDArray[np.float64]:
        return np.array(self.rows)

    @property
    def golds(self) -> NDArray[np.bool_]:
        return np.array(self.is_gold)

    @property
    def standard_error(self) -> float:
        return standard_error(self.golds)

    def areas(self) -> dict[str, float]:
        """Of each feature, whichever way it tells, and of all of them together."""
        single = {name: auc(self.features[:, n], self.golds) for n, name in enumerate(FEATURES)}
        return {name: max(area, 1 - area) for name, area in single.items()} | {"all": guess(self.features, self.golds)}


def look_at_tasks(world: JudgingWorld, n_tasks: int, *, signed_in: User | None = None) -> Seen:
    """Of so many people, one task each, page by page as a browser without a script that takes packed pages."""
    seen = Seen()
    for _ in range(n_tasks):
        browser = Client(headers={"Accept-Encoding": "gzip"})
        if signed_in is not None:
            browser.force_login(signed_in)
        _look_at_task(world, Walker(world.campaign, browser), seen)
    return seen


def _look_at_task(world: JudgingWorld, walker: Walker, seen: Seen) -> None:
    walker.begin()
    with at_desk(world.campaign) as desk:
        slots = desk.tasks[desk.assignments[-1].task_id].slots
    for place in range(len(slots)):
        page, page_cpu = _timed(lambda: walker.get("pairs/"))
        fields = walker.fields(page) | {"choice": "left"}
        reply, reply_cpu = _timed(lambda said=fields: walker.client.post(walker.home + "answer/", said, headers=JSON))
        assert reply.status_code == 200
        of_page = [len(page.content), _size_of_headers(page), len(page.cookies), int(fields["answer_id"][:8], 16)]
        of_reply = [len(reply.content), _size_of_headers(reply), reply_cpu]
        seen.rows.append([place, int(fields["slot"]), *of_page, page_cpu, *of_reply])
        seen.is_gold.append(slots[int(fields["slot"])].is_gold)


def _timed(ask: Callable[[], HttpResponse]) -> tuple[HttpResponse, float]:
    began = time.thread_time()
    found = ask()
    return found, time.thread_time() - began


def _size_of_headers(response: HttpResponse) -> int:
    return sum(len(name) + len(value) for name, value in response.headers.items())
