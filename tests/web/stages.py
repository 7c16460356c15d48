"""How a real board stands when a test begins: each function is called in a process of its own, on an empty folder."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.test import Client
from tests.web.cast import Cast, even_ranks, make_cast, run_text
from tests.web.runs import accepted, settled

from toprung.web.boards.audit import find_break
from toprung.web.boards.models import Board
from toprung.web.submissions.models import Submission, Upload
from toprung.web.submissions.submitting import Words, submit

CSRF_TOKEN = "a" * 32


def fifty_files() -> dict[str, Any]:
    """One team with fifty checked files and two submissions left; and the cookies of a member."""
    cast = _set_up()
    upload = accepted(cast)
    for _ in range(49):
        upload.pk = None
        upload.save()
    client = Client()
    client.force_login(cast.participant)
    cookies = f"sessionid={client.cookies['sessionid'].value}; csrftoken={CSRF_TOKEN}"
    return {"uploads": list(Upload.objects.values_list("pk", flat=True)), "cookies": cookies}


def one_queued_run() -> dict[str, Any]:
    """R1 holds the rung, and R2, of another team and far better, waits to be scored."""
    cast = _set_up()
    settled(cast, "first", 4, team=cast.other_team, user=cast.stranger)
    upload = accepted(cast, run_text(even_ranks(1)))
    return {"pk": submit(upload, Words(name="better"), by=cast.participant).pk}


def is_chain_whole() -> bool:
    return all(find_break(board) is None for board in Board.objects.all())


def scores() -> list[float | None]:
    return list(Submission.objects.order_by("number").values_list("score", flat=True))


def _set_up() -> Cast:
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    return make_cast()
