"""Who gets what of the API? Every route, every role, with a token that may do everything; without one, anybody.

A line is a method, a route, what is asked for, the scopes that a token must have, and the answers in the order of
`ROLES`; the last word stands for all roles that follow. What is on the boards stands in ``busy_boards.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from tests.web.api.calling import announce
from tests.web.asking import NO_NUMBER
from tests.web.busy_boards import BusyBoard, World
from tests.web.matrix import OUTSIDE_CLOSED, ROLES

from toprung.web.core.models.people import Scope
from toprung.web.core.models.runs import PartialUpload

ANSWERS = {"ok": 200, "new": 201, "soon": 202, "who": 401, "no": 403, "not": 404, "x": 405, "late": 409, "bad": 422}
SITE = ("api_me", "api_boards")
"""Routes that are of no board."""
OF_ONE = (
    *("api_analysis", "api_run", "api_edit_run", "api_withdraw_run", "api_data_file"),
    *("api_campaign", "api_campaign_export", "api_desk", "api_take_task", "api_start_task", "api_hand_in", "api_leave"),
    *("api_consent", "api_trial", "api_answer", "api_undo"),
)
"""Routes to one thing of a board, by what it is called."""

AN_ANSWER = {"assignment": "0" * 32, "answer_id": "0" * 32}
SENT: Mapping[str, Mapping[str, Any]] = {
    "api_edit_run": {"description": "What is new in it."},
    "api_consent": {"version": 1, "agree": True},
    "api_trial": {"choice": "left"},
    "api_answer": {**AN_ANSWER, "slot": 0, "choice": "left"},
    "api_undo": AN_ANSWER,
}
"""What is sent there."""

TABLE = """
                                          scopes        anon part mate strg asse view else orga
GET   api_me             -                -             who  ok
GET   api_boards         -                read          ok
GET   api_board          -                read          ok
GET   api_standings      -                read          ok
GET   api_standings      labels=1         read          ok
GET   api_standings      labels=2         read          not
GET   api_standings      limit=101        read          bad
GET   api_labels         -                read          ok
GET   api_claims         -                read          ok
GET   api_timeline       -                read          ok
GET   api_stability      -                read          ok
GET   api_significance   -                read          ok
GET   api_analysis       power            read          not
GET   api_compare        b=R4&a=R1        read          ok
GET   api_compare        b=R3&a=R4        read          not
GET   api_compare        b=R7&a=R4        read          not
GET   api_compare        b=R99&a=R4       read          not
GET   api_compare        -                read          bad
POST  api_ask_to_compare b=R4&a=R1        read          ok
POST  api_ask_to_compare b=R6&a=R2        read          soon
POST  api_ask_to_compare b=R3&a=R4        read          not  not  not  not  not  not  not  soon
POST  api_ask_to_compare b=R7&a=R4        read          not
GET   api_quota          team=kestrel-lab read          who  ok   ok   not
GET   api_quota          team=norrland-ir read          who  not  not  ok   not
GET   api_quota          team=quokka-hideout read       who  not
GET   api_runs           -                read          who  ok
GET   api_runs           team=kestrel-lab read          who  ok   ok   not
GET   api_runs           team=norrland-ir read          who  not  not  ok   not
GET   api_run            B1               read          ok
GET   api_run            R1               read          ok
GET   api_run            R3               read          ok
GET   api_run            R4               read          ok
GET   api_run            R6               read          ok
GET   api_run            R7               read          ok
GET   api_run            R9               read          not  ok   ok   not  not  not  not  ok
GET   api_run            R10              read          not  not  not  ok   not  not  not  ok
GET   api_run            R99              read          not
PATCH api_edit_run       R1               submit        who  ok   ok   not
PATCH api_edit_run       R2               submit        who  not  not  ok   not
PATCH api_edit_run       R4               submit        who  not
PATCH api_edit_run       R9               submit        who  ok   ok   not
PATCH api_edit_run       B1               submit        who  not
POST  api_withdraw_run   R1               submit        who  ok   ok   not
POST  api_withdraw_run   R4               submit        who  not
POST  api_withdraw_run   R9               submit        who  late late not
POST  api_withdraw_run   B1               submit        who  not
POST  api_submit         accepted         submit        who  new  new  not
POST  api_submit         open             submit        who  not
POST  api_submit         none             submit        who  not
POST  api_start_file     kestrel-lab      submit        who  new  new  not
POST  api_start_file     norrland-ir      submit        who  not  not  new  not
POST  api_start_file     quokka-hideout   submit        who  not
PATCH api_send_piece     open             submit        who  ok   not
PATCH api_send_piece     other            submit        who  not  not  ok   not
PATCH api_send_piece     accepted         submit        who  late not
PATCH api_send_piece     none             submit        who  not
GET   api_file           open             read          who  ok   ok   not  not  not  not  ok
GET   api_file           accepted         read          who  ok   ok   not  not  not  not  ok
GET   api_file           other            read          who  not  not  ok   not  not  not  ok
GET   api_file           none             read          who  not
GET   api_data           -                read          ok
POST  api_accept_terms   -                submit        who  late
GET   api_data_file      queries-dev.tsv  read          ok
GET   api_data_file      labels-dev-v1.txt read         ok
GET   api_data_file      hidden-queries.tsv read        not
GET   api_data_file      none             read          not
GET   api_studies        -                judge         who  not  not  not  ok   not  not  ok
GET   api_desk           study            judge         who  not  not  not  ok   not  not  ok
GET   api_desk           none             judge         who  not
POST  api_consent        study            judge         who  not  not  not  ok   not  not  ok
POST  api_trial          study            judge         who  not  not  not  late not  not  late
POST  api_take_task      study            judge         who  not  not  not  late not  not  late
POST  api_start_task     study            judge         who  not  not  not  late not  not  late
POST  api_answer         study            judge         who  not  not  not  late not  not  late
POST  api_undo           study            judge         who  not  not  not  late not  not  late
POST  api_hand_in        study            judge         who  not  not  not  late not  not  late
POST  api_leave          study            judge         who  not  not  not  late not  not  late
GET   api_audit          -                read+organise who  not  not  not  not  not  not  ok
GET   api_validity       -                read+organise who  not  not  not  not  not  not  ok
GET   api_campaigns      -                read+organise who  not  not  not  not  not  not  ok
GET   api_campaign       study            read+organise who  not  not  not  not  not  not  ok
GET   api_campaign       none             read+organise who  not
GET   api_campaign_export study,jsonl     read+organise who  not  not  not  not  not  not  ok
GET   api_campaign_export study,exe       read+organise who  bad
"""


@dataclass(frozen=True, kw_only=True)
class ApiLine:
    """What is asked for, which scopes that takes, and what each role gets."""

    method: str
    name: str
    what: str
    scopes: frozenset[Scope]
    cells: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.method} {self.name}" if self.what == "-" else f"{self.method} {self.name} {self.what}"

    def on_closed_board(self) -> ApiLine:
        """For who has no role on it nothing is there, once they said who they are and asked for what can be."""
        if self.name in SITE:
            return self
        closed = {
            role: "not" if role in OUTSIDE_CLOSED and answer not in ("who", "bad") else answer
            for role, answer in self.cells.items()
        }
        return replace(self, cells=closed)


@dataclass(frozen=True, kw_only=True)
class Question:
    """Where to ask, and what to send."""

    method: str
    url: str
    body: Any = None
    content: bytes | None = None


def read_table(text: str) -> Iterator[ApiLine]:
    for line in text.strip().splitlines()[1:]:
        method, name, what, scopes, *words = line.split()
        assert set(words) <= set(ANSWERS), line
        cells = dict(zip(ROLES, [*words, *[words[-1]] * (len(ROLES) - len(words))], strict=True))
        needed = frozenset() if scopes == "-" else frozenset(map(Scope, scopes.split("+")))
        yield ApiLine(method=method, name=name, what=what, scopes=needed, cells=cells)


def make_files(world: World, busy: BusyBoard) -> None:
    """Files on their way in pieces: one of the participant, one of the stranger, and one that was accepted."""
    board, cast = busy.board, world.cast
    for user, team, upload in (
        (cast.participant, cast.team, None),
        (cast.stranger, cast.other_team, None),
        (cast.participant, cast.team, busy.accepted),
    ):
        PartialUpload.objects.create(
            board=board,
            team=team,
            user=user,
            file_name="run.txt",
            size=20,
            received=0 if upload is None else 20,
            digest="sha256:" + "0" * 64,
            upload=upload,
        )


def find_question(world: World, busy: BusyBoard, line: ApiLine) -> Question:
    """A line as a request to this board."""
    slug, what = busy.board.slug, line.what
    if line.name in SITE:
        return Question(method=line.method, url=reverse(line.name))
    if line.name in OF_ONE:
        url = reverse(line.name, args=[slug, *what.split(",")])
        return Question(method=line.method, url=url, body=SENT.get(line.name))
    if line.name in ("api_send_piece", "api_file"):
        content = b"q001 " if line.name == "api_send_piece" else None
        url = reverse(line.name, args=[slug, _file_id(world, busy, what)])
        return Question(method=line.method, url=url, content=content)
    url = reverse(line.name, args=[slug])
    if line.name == "api_submit":
        body = {"file": _file_id(world, busy, what), "name": "brand-new", "description": "What is new in it."}
        return Question(method=line.method, url=url, body=body)
    if line.name in ("api_start_file", "api_accept_terms"):
        begins = line.name == "api_start_file"
        body = announce(what, b"q001 Q0 d1 1 1.0 x\n") if begins else {"digest": "sha256:" + "0" * 64}
        return Question(method=line.method, url=url, body=body)
    return Question(method=line.method, url=url if what == "-" else f"{url}?{what}")


def _file_id(world: World, busy: BusyBoard, what: str) -> str:
    files = PartialUpload.objects.filter(board=busy.board)
    known = {
        "open": files.filter(user=world.cast.participant, upload=None),
        "other": files.filter(user=world.cast.stranger),
        "accepted": files.exclude(upload=None),
    }
    return str(known[what].get().pk if what in known else NO_NUMBER)


API_LINES = list(read_table(TABLE))
