"""How is a line of the API's table asked as each role? With a token that may do everything, made once for all tests."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpResponse
from tests.web.api.calling import BASE, Program, program_of
from tests.web.api.matrix import ANSWERS, Question
from tests.web.asking import undone
from tests.web.busy_boards import World
from tests.web.matrix import ROLES

from toprung.web.core.models.people import Scope


def programs_of(world: World, scopes: Iterable[Scope] = tuple(Scope)) -> dict[str, Program]:
    """One for each role."""
    made = {}
    for role in ROLES:
        person = world.person(role)
        made[role] = Program() if person is None else program_of(person, *scopes)
    return made


def ask_api(program: Program, question: Question, method: str = "") -> HttpResponse:
    """Nothing that is asked leaves a trace."""
    headers = {} if question.content is None else {"Upload_Offset": "0"}
    with undone():
        response = program.ask(
            method or question.method,
            question.url.removeprefix(BASE),
            question.body,
            content=question.content,
            **headers,
        )
        if response.streaming:
            response.sent = b"".join(response.streaming_content)  # closes it at its end
        return response


def say_status(response: HttpResponse) -> str:
    words = {number: word for word, number in ANSWERS.items()}
    return words.get(response.status_code, str(response.status_code))
