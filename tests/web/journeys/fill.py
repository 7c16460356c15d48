"""Fills the data folder that the server under test serves: a busy board, quiet ones, graded ones, everybody signed in.

Run by itself, before the server starts, with the folder of a kept world; says as JSON what tests need to know.
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from toprung.web.ops.start import set_up

if TYPE_CHECKING:
    from tests.web.cast import Cast

QUIET, ARRIVALS, CLAIMED, KEYED = "quiet", "arrivals", "claimed", "keyed"
"""Boards with a baseline and nothing else; journeys take place on the last three."""
RELABELLED = "relabelled"
"""Two runs, and new labels under which the other of them does best."""


def main(folder: Path, kept: Path) -> None:
    set_up(folder)
    from django.db import transaction
    from tests.web.kept_world import FILES

    shutil.copytree(kept / FILES, folder / "files", dirs_exist_ok=True)
    with transaction.atomic():
        told = fill(kept)
    print(json.dumps(told))


def fill(kept: Path) -> dict[str, object]:
    from django_ox.models import OxTask
    from tests.web.busy_boards import sign_in
    from tests.web.cast import even_ranks, make_board, make_upload, run_text
    from tests.web.journeys.graded_board import make_graded_boards
    from tests.web.kept_world import read_world, write_rows

    found = read_world(kept)
    write_rows(found.rows)
    world = found.world
    for slug in (QUIET, ARRIVALS, CLAIMED, KEYED):
        board = make_board(slug, world.cast.organiser, quota=5)
        file = make_upload(board, None, world.cast.organiser, run_text(even_ranks(4)), file_name="bm25.txt")
        _add_baseline(board.pk, file.pk)
    _fill_relabelled(world.cast)
    OxTask.objects.all().delete()  # what waits on the busy board goes on waiting
    make_graded_boards(world)
    _rest_elsewhere(world.boards["rounded"].board.pk)
    people = ("participant", "mate", "stranger", "organiser", "viewer")
    busy = world.boards["rounded"]
    return {
        "sessions": {role: sign_in(world.person(role)) for role in people},
        "invitation": world.invitation,
        "uploads": {"refused": busy.refused.pk, "accepted": busy.accepted.pk, "waiting": busy.waiting.pk},
        "private_labels": busy.board.label_sets.get(use="private").pk,
    }


def _fill_relabelled(cast: Cast) -> None:
    """As the workers would: version 1 has top-one first, version 2 has second-one."""
    from tests.web.cast import make_board
    from tests.web.runs import settled
    from tests.web.versions import publish_labels

    from toprung.web.services.labels.adopt import adopt_version
    from toprung.web.services.labels.rescore import score_slice
    from toprung.web.services.results.compute import compute_results

    there = replace(cast, board=make_board(RELABELLED, cast.organiser, title="Relabelled"))
    settled(there, "top-one", 1)
    settled(there, "second-one", 2, team=cast.other_team, user=cast.stranger)
    compute_results(there.board.pk)
    with TemporaryDirectory() as folder:
        labels = publish_labels(there, Path(folder))
    score_slice(labels.pk, 1, 50)
    adopt_version(labels.pk)


def _rest_elsewhere(board_pk: int) -> None:
    """Who sends files in a journey has sent none to the other boards of late, and none waits there."""
    from django.db.models import F

    from toprung.web.core.models.runs import Upload, UploadState

    others = Upload.objects.exclude(board=board_pk)
    others.filter(state=UploadState.WAITING).delete()
    others.update(sent_at=F("sent_at") - timedelta(days=1))


def _add_baseline(board_pk: int, upload_pk: int) -> None:
    """As the worker would."""
    from toprung.data.run_card import RunCard
    from toprung.web.core.models.runs import Upload
    from toprung.web.services.claims.settle import settle_board
    from toprung.web.services.results.compute import compute_results
    from toprung.web.services.runs.check import check_upload
    from toprung.web.services.runs.score import score_submission
    from toprung.web.services.runs.submit import add_baseline

    check_upload(upload_pk)
    upload = Upload.objects.get(pk=upload_pk)
    baseline = add_baseline(upload, RunCard(name="bm25"), by=upload.user)
    score_submission(baseline.pk)
    settle_board(board_pk)
    compute_results(board_pk)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
