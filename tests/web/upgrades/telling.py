"""Asks a server what it says, in a process with the settings of a server, and holds that to what it said before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django_ox.testing import run_tasks
from tests.web.cast import OFFICIAL, PASSWORD, even_ranks, run_text
from tests.web.upgrades.servers import BOARDS

from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Scope, User
from toprung.web.core.models.runs import Submission, Upload
from toprung.web.core.store.audit import find_break
from toprung.web.services.people.tokens import make_token

HOST = "localhost"
OF_EVERYBODY = ("", "/standings", "/claims", "/runs", "/data", "/labels")
OF_ORGANISERS = ("/audit", "/campaigns", "/campaigns/second-look")
PAGES = ("leaderboard", "history", "stability", "label_versions", "about")
FACTS = frozenset(
    (
        *("items", "count", "live", "campaign", "labels", "files", "terms", "quota"),
        *("slug", "title", "task", "measure", "cutoff", "depth", "rule", "release", "opens_at", "closes_at", "is_open"),
        *("final_since", "final_digest", "limit", "days"),
        *(
            "label",
            "run",
            "name",
            "team",
            "is_baseline",
            "state",
            "submitted_at",
            "withdrawn_at",
            "description",
            "tags",
        ),
        *("anonymous_until", "score", "place", "rank_low", "rank_high", "top_group", "labels_version"),
        *("number", "date", "against", "passed", "p", "level", "smallest_gain", "voided_on", "void_reason"),
        *("use", "version", "published_at", "current_since", "n_queries", "is_current", "is_hidden", "changes"),
        *("kind", "size", "link", "digest", "at", "who", "what", "details"),
        *("access", "is_standing", "reward", "budget", "started_at", "closed_at", "n_decided", "n_votes", "n_people"),
    )
)
"""Keys of the API that say what is stored, or hold such keys; others put it into words, or are computed from it."""
WRITTEN_AT = frozenset({"published_at", "current_since"})
"""What depends on the moment at which a board is made."""


def tell(boards: list[str], tokens: Mapping[str, str]) -> dict[str, Any]:
    """What the API answers, by who asks and the address."""
    told = {}
    for who in ("anonymous", *tokens):
        headers = {"Host": HOST} | ({"Authorization": f"Bearer {tokens[who]}"} if who in tokens else {})
        for board in boards:
            for path in (*OF_EVERYBODY, *(OF_ORGANISERS if who == "organiser" else ())):
                address = f"/api/v1/boards/{board}{path}"
                answer = Client(headers=headers).get(address)
                told[f"{who} {address}"] = [answer.status_code, json.loads(answer.content)]
    return told


def make_organiser_token() -> str:
    """For who organises the boards that came by a command."""
    return make_token(User.objects.get(may_create_boards=True), name="laptop", scopes=tuple(Scope))[1]


def facts_of(answer: Any, *, without: frozenset[str] = frozenset()) -> Any:
    """What must not change, of an answer with all that is nested in it."""
    if isinstance(answer, dict):
        kept = ((key, value) for key, value in answer.items() if key in FACTS - without)
        return {key: value if key == "details" else facts_of(value, without=without) for key, value in kept}
    return [facts_of(each, without=without) for each in answer] if isinstance(answer, list) else answer


def come_back(sessions: Mapping[str, str], link: str) -> dict[str, Any]:
    """Whether people come in as before, and what pages answer to them."""
    stays, signs_in, by_link = (Client(headers={"Host": HOST}) for _ in range(3))
    stays.cookies["sessionid"] = sessions["participant"]
    entered = signs_in.post(reverse("account_login"), {"login": "stranger@example.org", "password": PASSWORD})
    by_link.post(link)
    pages = [reverse(page, args=[board]) for board in BOARDS for page in PAGES]
    return {
        "signed in": entered.status_code,
        "accounts": [each.get("/account/").status_code for each in (stays, signs_in)],
        "by link": by_link.get("/account/").status_code,
        "pages": {page: stays.get(page).status_code for page in pages},
    }


def go_on() -> dict[str, Any]:
    """What becomes of the run that waited for its score and the file that waited for its check, and of a new run."""
    run_tasks(raise_failures=True)
    waited = Submission.objects.get(board__slug="web-docs", name="waiting")
    unchecked = Upload.objects.get(file_name="unchecked.txt")
    client = Client(headers={"Host": HOST})
    client.post(reverse("account_login"), {"login": "participant@example.org", "password": PASSWORD})
    file = SimpleUploadedFile("new.txt", run_text(even_ranks(1) | dict.fromkeys(OFFICIAL[:20], 2), team="-new"))
    client.post(reverse("send_file", args=["web-docs"]), {"team": "kestrel-lab", "file": file})
    run_tasks(raise_failures=True)
    upload = Upload.objects.latest("pk")
    client.post(
        reverse("submit", args=["web-docs"]), {"name": "new", "description": "A new one.", "upload": str(upload.pk)}
    )
    run_tasks(raise_failures=True)
    new = Submission.objects.get(board__slug="web-docs", name="new")
    return {
        "waited": [waited.state, waited.score],
        "unchecked": unchecked.state,
        "new": [new.run_id, new.state, new.score],
        "breaks": [find_break(board) for board in Board.objects.all()],
    }
