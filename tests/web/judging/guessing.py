"""Someone who does not read, and guesses which pairs are golds from all else: sizes, headers, ids, order, time.

How good a guess is, is the area under the curve: how often a gold looks more like one than another pair does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from django.http import HttpResponse
from django.test import Client
from numpy.typing import NDArray
from scipy.stats import rankdata
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
FOLDS, RIDGE, STEPS = 5, 1.0, 20


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
        """Of the area of a guess that knows nothing."""
        n_golds = int(self.golds.sum())
        return float(np.sqrt((len(self.rows) + 1) / (12 * n_golds * (len(self.rows) - n_golds))))

    def areas(self) -> dict[str, float]:
        """Of each feature, whichever way it tells, and of all of them together."""
        single = {name: auc(self.features[:, n], self.golds) for n, name in enumerate(FEATURES)}
        return {name: max(area, 1 - area) for name, area in single.items()} | {"all": guess(self.features, self.golds)}


def auc(scores: NDArray[np.float64], golds: NDArray[np.bool_]) -> float:
    """By ranks; equal scores are a half."""
    n_golds, n_others = int(golds.sum()), int((~golds).sum())
    ranks = rankdata(scores)
    return float((ranks[golds].sum() - n_golds * (n_golds + 1) / 2) / (n_golds * n_others))


def guess(features: NDArray[np.float64], golds: NDArray[np.bool_]) -> float:
    """Of a logistic regression on features and their squares, that has not seen what it is asked about."""
    spread = features.std(axis=0)
    plain = (features - features.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    inputs = np.column_stack([np.ones(len(plain)), plain, plain**2])
    fold = np.random.default_rng(1).permutation(len(inputs)) % FOLDS
    areas = []
    for each in range(FOLDS):
        weights = _fit(inputs[fold != each], golds[fold != each])
        areas.append(auc(inputs[fold == each] @ weights, golds[fold == each]))
    return float(np.mean(areas))


def _fit(inputs: NDArray[np.float64], golds: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Newton's steps, held back by a ridge."""
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (golds - chance) - RIDGE * weights
        curve = (inputs.T * (chance * (1 - chance))) @ inputs + RIDGE * np.eye(len(weights))
        weights = weights + np.linalg.solve(curve, slope)
    return weights


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
