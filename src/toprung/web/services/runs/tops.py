"""What do runs of a board put first? Read apart, as all that came from outside: a run may have come in a bundle."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import batched

from django.conf import settings

from toprung.data.run import Run
from toprung.web.core.apart.process import ChildEndedError, run_apart
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.files import local_path
from toprung.web.services.runs.reading_tops import read_top_runs

AT_ONCE = 20
"""Runs that share a child."""
logger = logging.getLogger(__name__)


def read_tops(submissions: Sequence[Submission], *, depth: int) -> dict[str, Run]:
    """The first answers of each run, by its id; one that ends the child that reads it is left out."""
    found: dict[str, Run] = {}
    for some in batched(submissions, AT_ONCE):
        try:
            found |= _read_apart(some, depth)
        except ChildEndedError:  # one of them ended the child: each has one of its own now
            for each in some:
                found |= _read_alone(each, depth)
    return found


def _read_alone(submission: Submission, depth: int) -> dict[str, Run]:
    try:
        return _read_apart([submission], depth)
    except ChildEndedError as died:
        logger.warning("The child that read the first answers of %s died: %s", submission.run_id, died)
        return {}


def _read_apart(submissions: Sequence[Submission], depth: int) -> dict[str, Run]:
    with ExitStack() as files:
        runs = [(each.run_id, files.enter_context(local_path(each.upload.parquet))) for each in submissions]
        limits = settings.ENVIRONMENT.child_limits.with_pieces(len(runs))
        sent = run_apart(read_top_runs, runs, depth, limits=limits)
    return {run_id: run.to_run() for run_id, run in sent.items()}
