"""How the board stands before its parts are killed, and what is done to it meanwhile; each in a process of its own."""

from __future__ import annotations

import gzip
import random
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from django.utils import timezone
from tests.web.cast import DEV, OFFICIAL, PRIVATE, make_team, make_upload, make_user, run_text
from tests.web.runs import GOOD, accepted
from tests.web.stages import _cookies_of, set_up
from tests.web.versions import publish_labels

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import Upload
from toprung.web.ops.housekeeping.trying_again import try_again
from toprung.web.services.runs.turns import queue_next

TEAMS, FILES = 3, 4


def submitters(teams: int = TEAMS, files: int = FILES, senders: int = 0) -> list[dict[str, Any]]:
    """Teams with checked files of their own, no two alike, and cookies of a member of each; senders have none yet."""
    cast, rng = set_up(), random.Random(5)
    Board.objects.filter(pk=cast.board.pk).update(quota=1000, opens_at=timezone.now() - timedelta(days=30))
    made = []
    for number, n_files in enumerate([files] * teams + [0] * senders):
        user = make_user(f"member{number}")
        team = make_team(f"Team {number}", user)
        uploads = [accepted(cast, run_text(_ranks(rng)), team=team, user=user).pk for _ in range(n_files)]
        made.append({"name": team.slug, "uploads": uploads, "cookies": _cookies_of(user)})
    return made


def greedy_and_honest_files(parts: int) -> dict[str, int]:
    """Three files of very many empty gzip parts, of one participant, and then a good one of another.

    They wait for their check in this order, each queued as those are that come by the web.
    """
    cast = set_up()
    hostile = gzip.compress(GOOD) + gzip.compress(b"", mtime=0) * parts
    sent = [(f"hostile {number}", cast.team, cast.participant, hostile) for number in range(3)]
    found = {}
    for name, team, user, content in [*sent, ("honest", cast.other_team, cast.stranger, GOOD)]:
        found[name] = make_upload(cast.board, team, user, content, file_name=f"{name}.run.gz").pk
        queue_next(user.pk)
    return found


def _ranks(rng: random.Random) -> dict[str, int]:
    return {query: rng.randint(1, 10) for query in (*OFFICIAL, *PRIVATE, *DEV)}


def new_labels() -> int:
    """Published as an organiser does; returns the version."""
    board = Board.objects.get(slug="web-docs")
    cast: Any = SimpleNamespace(board=board, organiser=User.objects.get(email="organiser@example.org"))
    with TemporaryDirectory() as folder:
        return publish_labels(cast, Path(folder)).version


def try_failed_again() -> int:
    """As housekeeping does, an hour later: what failed while the store was away is queued once more."""
    timezone.now = lambda now=timezone.now: now() + timedelta(hours=1)
    return try_again()


def missing_files() -> list[str]:
    """Of runs and their labels, what the store does not have."""
    named = [upload.parquet for upload in Upload.objects.exclude(submission=None)]
    named += [labels.file for labels in LabelSet.objects.all()]
    return [file.name for file in named if not file.storage.exists(file.name)]
