"""An invited assessor judges by the API and in the terminal: the same desk as the pages, every answer once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from click.testing import CliRunner, Result
from django.test import Client
from tests.web.api.calling import Program
from tests.web.cast import Cast
from tests.web.judging.walking import Walker
from tests.web.judging.world import JudgingWorld, make_campaign
from tests.web.runs import accepted

from toprung.cli.main import app
from toprung.client.connection import BrokenError, Connection, ServerRefusedError
from toprung.client.record import Record
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.boards import BoardRole, Role
from toprung.web.core.models.judging import AssessorSeat, Campaign, CampaignAccess, CampaignState
from toprung.web.core.models.people import Membership, Scope, User
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging import refusals
from toprung.web.services.people.tokens import make_token

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture
def world(cast: Cast) -> JudgingWorld:
    return make_campaign(cast, access=CampaignAccess.INVITED)


@pytest.fixture
def assessor(world: JudgingWorld) -> User:
    return world.cast.assessor


def program_of(user: User, *scopes: Scope, **options: Any) -> Program:
    _, secret = make_token(user, name="desk", scopes=scopes or (Scope.JUDGE,), days=30, **options)
    return Program(secret=secret)


class Desk:
    """One person with a token."""

    def __init__(self, world: JudgingWorld, user: User) -> None:
        self.here = f"/boards/{world.cast.board.slug}/judging/{world.campaign.slug}"
        self.program = program_of(user)

    def post(self, step: str, body: Any = None, *, status: int = 200) -> Any:
        response = self.program.ask("POST", f"{self.here}/{step}", body)
        assert response.status_code == status, response.content.decode()
        return response.json()

    def begin(self) -> Any:
        self.post("consent", {"version": 1, "agree": True})
        self.post("trial", {"choice": "right"})
        self.post("task")
        return self.post("task/start")

    def answer(self, task: Any, slot: int, choice: str = "left", *, an_id: str = "", status: int = 200) -> Any:
        body = {"assignment": task["assignment"], "slot": slot, "choice": choice, "answer_id": an_id or uuid4().hex}
        return self.post("answers", body, status=status)


def n_judgments(world: JudgingWorld) -> int:
    return len(CampaignRecords(world.campaign).read_judgments())


def test_a_whole_task_by_program(world: JudgingWorld, assessor: User) -> None:
    desk = Desk(world, assessor)
    found = desk.program.get(f"/boards/{world.cast.board.slug}/judging")
    assert [(each["name"], each["pay"]) for each in found["items"]] == [("best-answers", "$2.00")]
    before = desk.program.get(desk.here)
    assert (before["step"], len(before["examples"]), before["examples"][2]["better"]) == ("consent", 3, "")
    assert "Your choice" in before["consent"]
    assert desk.post("consent", {"version": 1, "agree": True})["step"] == "guidelines"
    assert desk.post("trial", {"choice": "right"})["is_right"] is True
    offered = desk.post("task")
    assert (offered["n_pairs"], offered["is_active"], offered["pairs"]) == (13, False, [])
    task = desk.post("task/start")
    assert (len(task["pairs"]), task["open"]) == (13, list(range(13)))
    for slot in range(12):
        desk.answer(task, slot)
    assert desk.post("hand-in", status=409)["detail"].startswith("1 pair is still without an answer.")
    desk.answer(task, 12)
    done = desk.post("hand-in")
    assert (done["n_pairs"], done["n_answered"], done["pay"]) == (13, 13, "$2.00")
    assert desk.post("hand-in") == done
    assert AssessorSeat.objects.get(campaign=world.campaign).user == assessor
    assert desk.post("task")["assignment"] != task["assignment"]


def test_an_answer_is_kept_once(world: JudgingWorld, assessor: User) -> None:
    desk = Desk(world, assessor)
    task, an_id = desk.begin(), uuid4().hex
    first = desk.answer(task, 0, "left", an_id=an_id)
    assert desk.answer(task, 0, "left", an_id=an_id) == first
    assert desk.answer(task, 0, "right", an_id=an_id, status=409)["detail"] == refusals.OTHER_CHOICE
    assert desk.answer(task, 0, "right", status=409)["detail"] == refusals.ANSWERED_ELSEWHERE
    assert desk.answer(task, 99, status=409)["detail"] == refusals.NO_SUCH_PAIR
    assert desk.answer(task, 1, "tie", status=409)["detail"] == refusals.NO_TIES
    assert desk.answer({"assignment": "0" * 32}, 1, status=409)["detail"] == refusals.NOT_YOURS
    assert n_judgments(world) == 1
    undo = {"assignment": task["assignment"], "answer_id": an_id}
    assert desk.post("undo", undo) == desk.post("undo", undo) == {"undone": 0}
    desk.answer(task, 0, "skip")
    assert desk.post("task/start")["open"][0] == 1  # what was skipped is asked again at the end


def test_steps_come_in_their_order(world: JudgingWorld, assessor: User) -> None:
    desk = Desk(world, assessor)
    assert desk.post("task", status=409)["detail"] == refusals.NO_CONSENT
    assert desk.post("consent", {"version": 2, "agree": True}, status=409)["detail"] == refusals.OTHER_CONSENT
    desk.post("consent", {"version": 1, "agree": False})
    assert not AssessorSeat.objects.exists()
    desk.post("consent", {"version": 1, "agree": True})
    assert desk.post("task", status=409)["detail"] == refusals.NO_GUIDELINES
    desk.post("trial", {"choice": "left"})
    assert desk.post("task/start", status=409)["detail"] == refusals.NOT_BEGUN
    desk.post("task")
    Campaign.objects.update(consent_version=2)
    assert desk.program.get(desk.here)["step"] == "consent"
    assert desk.post("task/start", status=409)["detail"] == refusals.NO_CONSENT


def test_a_paused_campaign_says_so_and_leaving_is_paid_by_its_share(world: JudgingWorld, assessor: User) -> None:
    desk = Desk(world, assessor)
    task = desk.begin()
    for slot in range(5):
        desk.answer(task, slot)
    Campaign.objects.update(state=CampaignState.PAUSED)
    assert desk.answer(task, 5, status=409)["detail"] == refusals.PAUSED_MEANWHILE
    left = desk.post("leave")
    assert (left["n_answered"], left["pay"], left["may_go_on"]) == (5, "$0.77", False)
    assert desk.post("leave") == left
    assert desk.post("task", status=409)["detail"] == refusals.PAUSED


def test_pages_and_program_are_one_desk(world: JudgingWorld, assessor: User) -> None:
    browser = Client()
    browser.force_login(assessor)
    walker = Walker(world.campaign, browser)
    walker.begin()
    page = walker.task()
    task = Desk(world, assessor).post("task/start")
    assert task["assignment"] == page["assignment"]
    assert task["pairs"] == page["pairs"]


def test_replies_tell_no_gold(world: JudgingWorld, assessor: User) -> None:
    """Equally long whatever is answered, and without a name of a document, a query or a task."""
    desk = Desk(world, assessor)
    task, sizes, said = desk.begin(), set(), ""
    for slot in range(13):
        body = {"assignment": task["assignment"], "slot": slot, "choice": "right", "answer_id": uuid4().hex}
        reply = desk.program.ask("POST", f"{desk.here}/answers", body, Accept_Encoding="gzip")
        sizes.add((reply.status_code, len(reply.content)))
        said += reply.content.decode()
    handed = desk.program.ask("POST", f"{desk.here}/hand-in", Accept_Encoding="gzip")
    assert handed.headers["Cache-Control"] == "no-store, private, no-transform"
    assert sizes == {(200, 512)}
    assert len(handed.content) == 512
    keys = set(task) | set(task["pairs"][0])
    assert keys == {*("assignment", "n_pairs", "pay", "is_active", "pairs", "open", "done", "skipped", "question")} | {
        *("question_lang", "left_lang", "right_lang"),
        "left",
        "right",
    }
    for word in (*Sitting(world.store).tasks, "gold", "q0001-", "g0001-"):
        assert word not in said + handed.content.decode(), word


def test_who_takes_part_cannot_judge_with_any_token(world: JudgingWorld, assessor: User) -> None:
    """Not either with one that is bound to a team that sent nothing."""
    cast = world.cast
    Membership.objects.create(user=assessor, team=cast.team)
    Membership.objects.create(user=assessor, team=cast.other_team)
    BoardRole.objects.get_or_create(board=cast.board, user=cast.participant, defaults={"role": Role.PARTICIPANT})
    accepted(cast)
    here = f"/boards/{cast.board.slug}/judging/best-answers"
    response = program_of(assessor).ask("GET", here)
    assert (response.status_code, response.json()["detail"]) == (403, refusals.IS_PARTICIPANT)
    bound = program_of(assessor, team=cast.other_team).ask("GET", here)
    assert bound.status_code == 403
    assert "bound to a team" in bound.json()["detail"]
    assert program_of(assessor, Scope.READ, Scope.SUBMIT).status("GET", here) == 403
    assert program_of(cast.participant).status("GET", here) == 404


class Line(Connection):
    """Asks the API of this process; where ``broken``, the reply to every other request is lost."""

    program = Program()
    broken = False
    n_asked = 0

    def ask_once(self, path: str, *, method: str = "GET", payload: Any = None, **_: Any) -> Record:
        response = type(self).program.ask(method, f"/{path}", payload)
        type(self).n_asked += 1
        if self.broken and self.n_asked % 2:
            raise BrokenError("The line broke.")
        answer = Record(fields=response.json(), source="here")
        if response.status_code >= 400:
            raise ServerRefusedError(answer.text("detail"), status=response.status_code, answer=answer)
        return answer


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, assessor: User) -> type[Line]:
    Line.program, Line.broken, Line.n_asked = program_of(assessor), False, 0
    connection = Line(server="http://127.0.0.1:1", token="t", sleep=lambda _: None)
    monkeypatch.setattr("toprung.cli.hosted.judge.connect", lambda board, _server: (connection, board))
    return Line


def judge(world: JudgingWorld, keys: str, *more: str) -> Result:
    return CliRunner().invoke(app, ["judge", world.cast.board.slug, *more], input=keys)


def test_a_whole_task_in_the_terminal(world: JudgingWorld, line: type[Line]) -> None:
    done = judge(world, "y\n" + "2" + "1" * 13 + "h")
    assert done.exit_code == 0, done.output
    for said in (
        "Your choice",
        "Do you agree?",
        "A pair to try",
        "Yes. Only the right passage",
        "13 pairs; pays $2.00.",
    ):
        assert said in done.output
    assert "1 of 13" in done.output
    assert "Handed in: 13 pairs, $2.00. Thank you." in done.output
    assert "13 pairs judged.\n" in done.output
    assert "0 neither" not in done.output
    assert n_judgments(world) >= 13


def test_quitting_undoing_and_going_on(world: JudgingWorld, line: type[Line]) -> None:
    first = judge(world, "y\n" + "2" + "111" + "q")
    assert "3 pairs judged. Ended: quit; the same command goes on from here." in first.output
    second = judge(world, "uu" + "2" * 12 + "u" + "1" + "h")
    assert "3 of 13" in second.output
    assert "Handed in: 13 pairs" in second.output
    assert second.exit_code == 0


def test_leaving_early_pays_the_share_and_is_asked_once_more(world: JudgingWorld, line: type[Line]) -> None:
    done = judge(world, "y\n" + "2" + "111" + "xn" + "11" + "xy")
    assert done.exit_code == 0, done.output
    assert done.output.count("What you answered is paid by its share") == 2
    assert "q save and quit · x leave early" in " ".join(done.output.split())
    # 5 of 13 at $2.00 are 77 cents
    assert "Left early: 5 of 13 pairs answered, which pays $0.77. Thank you." in done.output
    assert "goes on from here" not in done.output
    again = judge(world, "q")
    assert "1 of 13" in again.output, "a new task, from its beginning"


def test_at_the_pair_to_try_there_is_nothing_to_leave(world: JudgingWorld, line: type[Line]) -> None:
    done = judge(world, "y\n" + "x" + "2" + "q")
    assert "Left early" not in done.output
    assert "Yes. Only the right passage" in done.output


def test_a_line_that_breaks_keeps_every_answer_once(world: JudgingWorld, line: type[Line]) -> None:
    Line.broken = True
    done = judge(world, "y\n" + "2" + "1" * 13 + "q")
    assert "13 pairs judged." in done.output
    assert n_judgments(world) == 13


def test_who_does_not_agree_is_asked_nothing(world: JudgingWorld, line: type[Line]) -> None:
    done = judge(world, "n\n")
    assert "nothing was asked and nothing is kept" in done.output
    assert not AssessorSeat.objects.exists()


def test_what_is_refused_is_said_in_the_words_of_the_server(world: JudgingWorld, line: type[Line]) -> None:
    judge(world, "y\n2q")
    Campaign.objects.update(state=CampaignState.PAUSED)
    assert refusals.PAUSED_MEANWHILE in judge(world, "1q", "--campaign", "best-answers").output
    Campaign.objects.update(state=CampaignState.CLOSED, access=CampaignAccess.OPEN)
    none = judge(world, "")
    assert none.exit_code != 0
    assert "Found no campaign to judge on web-docs" in str(none.exception)
    assert "expected its name" in str(judge(world, "", "--campaign", "../x").exception)
