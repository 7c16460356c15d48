"""What do the pages of a board, its API, its mails and its published copy say?

On boards on which everything has happened, made anew in a database of their own: numbers of rows stand in addresses.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from unittest.mock import patch

from django.conf import settings
from django.core import mail
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import override_settings
from tests.golden.part import Part
from tests.golden.varying import settle, settle_page, to_settled_json, undrawn
from tests.web.api.asking import ask_api, programs_of
from tests.web.api.calling import Program
from tests.web.api.matrix import API_LINES, ApiLine, find_question, make_files
from tests.web.asking import Address, ask, body_of, find
from tests.web.busy_boards import World, make_world
from tests.web.drawing import run_here
from tests.web.matrix import ALLAUTH_LINES, BOARD_LINES, SITE_LINES, Line
from tests.web.published import names_in

from toprung.web.core.config.environment import MailServer
from toprung.web.ops.publish.publish import publish_board
from toprung.web.services.results.compare import store as comparisons

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
STRICT, ROUNDED = "ladder", "rounded"
STATE = re.compile(r"(?<=[?&]state=)\w+")
"""Drawn anew whenever somebody signs in elsewhere."""
INVITATION = re.compile(r"/join/[\w-]{32}/")
ROLES = ("anonymous", "participant", "stranger", "organiser")
"""The others see what one of these sees, which the role matrix holds."""
REFUSALS = ("in", "not", "who", "x")
"""Held by the role matrix too: they say nothing of their own."""
LOOKS = ("per=best", "against=B1", "tag=dense", "page=2", "q=R4", "q=Kestrel&per=best")
"""Ways to look at the leaderboard."""

type Answers = dict[str, dict[str, str]]


class StoppedClock(datetime):
    """For Django's ``timezone.now``, also where a model's field holds that function."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return NOW.astimezone(tz)


def make_site_part() -> Part:
    connection.creation.create_test_db(verbosity=0)
    drawn_here = patch("toprung.web.services.results.content.run_apart", run_here)
    with undrawn(), drawn_here, patch("django.utils.timezone.datetime", StoppedClock), transaction.atomic():
        with _mail_server(), patch.object(comparisons, "MOST_IN_ADVANCE", 2):  # the others are made when somebody asks
            world = make_world()
        make_files(world, world.boards[STRICT])
        digested = {**_ask_pages(world), **_ask_api(world), "published": _publish(world)}
        transaction.set_rollback(True)
    return Part(name="site", whole={"mails.txt": _write_mails()}, digested=digested)


def _mail_server() -> override_settings:
    server = MailServer(host="mail.example.org", port=587, user="", password="", speaks_tls=False)
    return override_settings(ENVIRONMENT=replace(settings.ENVIRONMENT, mail=server))


def _ask_pages(world: World) -> Answers:
    answers: Answers = {}
    for slug, lines in ((STRICT, [*BOARD_LINES, *SITE_LINES, *ALLAUTH_LINES]), (ROUNDED, BOARD_LINES)):
        for line in lines:
            if line.name != "api_openapi":
                answers |= _ask_line(world, line, slug)
        for query in LOOKS:
            address = Address(url=f"/b/{slug}/?{query}")
            answers[f"GET {address.url}"] = {role: _ask(world, role, address, "GET") for role in ROLES}
    answers["GET /no/such/page/"] = {role: _ask(world, role, Address(url="/no/such/page/"), "GET") for role in ROLES}
    return answers


def _ask_line(world: World, line: Line, slug: str) -> Answers:
    address, answers = find(world, world.boards[slug], line), {}
    for method, cells in (("GET", line.get), ("POST", line.post)):
        roles = [role for role in ROLES if cells[role] not in REFUSALS]
        if roles:
            name = _hide_secrets(world, f"{method} {address.url}")
            answers[name] = {role: _ask(world, role, address, method) for role in roles}
    return answers


def _ask(world: World, role: str, address: Address, method: str) -> str:
    return _hide_secrets(world, _settle(ask(world, role, address, method)))


def _ask_api(world: World) -> Answers:
    programs = programs_of(world)
    asked = {f"API {line}": _ask_api_line(world, programs, line) for line in API_LINES}
    return {name: answers for name, answers in asked.items() if answers}


def _ask_api_line(world: World, programs: dict[str, Program], line: ApiLine) -> dict[str, str]:
    question = find_question(world, world.boards[STRICT], line)
    roles = [role for role in ROLES if line.cells[role] not in REFUSALS]
    return {role: _settle(ask_api(programs[role], question)) for role in roles}


def _settle(response: HttpResponse) -> str:
    """The status, where it leads or what it is, and what it says."""
    if "Location" in response.headers:
        return f"{response.status_code} {STATE.sub('[state]', response.headers['Location'])}"
    kind = response.headers.get("Content-Type", "")
    if kind.startswith(("image/png", "application/pdf", "application/zip")):
        return f"{response.status_code} {kind}\n(a picture or archive)"
    return f"{response.status_code} {kind}\n{_settle_body(body_of(response).decode(), kind)}"


def _settle_body(text: str, kind: str) -> str:
    if kind.startswith("text/html"):
        return settle_page(text)
    return to_settled_json(text) if kind.startswith("application/json") else settle(text)


def _hide_secrets(world: World, text: str) -> str:
    """Links that let somebody in, those of the world and those that were just made."""
    return INVITATION.sub("/join/[invitation]/", text).replace(world.login_link, "/link/[link]")


def _publish(world: World) -> Mapping[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        publish_board(world.boards[STRICT].board, site, site="https://boards.example.org")
        return {name: _settle_file(site / name) for name in names_in(site) if name != "SHA256SUMS"}


def _settle_file(path: Path) -> str:
    if path.suffix in (".png", ".pdf", ".gz"):
        return "(a picture or archive)"
    text = path.read_text(encoding="utf-8")
    if path.name == "manifest.json":  # digests and sizes of the others
        return json.dumps(sorted(json.loads(text)))
    kinds = {".html": "text/html", ".json": "application/json"}
    return _settle_body(text, kinds.get(path.suffix, ""))


def _write_mails() -> str:
    return "\n".join(f"######## {each.subject}\nTo: {', '.join(each.to)}\n\n{each.body}" for each in mail.outbox)
