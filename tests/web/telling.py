"""What a board tells a person, asked in the process of the test: ``demo.told`` reads it."""

from __future__ import annotations

from demo.told import Told
from django.test import Client
from tests.web.viewing import browse

from toprung.web.core.models.people import Scope, User
from toprung.web.core.models.runs import Submission
from toprung.web.services.people.tokens import make_token
from toprung.web.services.runs.mail import body_of


def told_to(user: User | None, slug: str) -> Told:
    browser, program = browse(user), _program_of(user)
    runs = Submission.objects.filter(board__slug=slug)
    return Told(
        slug=slug,
        fetch=lambda path: _read(browser, path),
        ask=lambda path: _read(program, path),
        mail=lambda run: "".join(map(body_of, runs.filter(run_id=run))),
        is_everyone=user is None,
    )


def _read(client: Client, path: str) -> str:
    answer = client.get(path)
    return answer.content.decode() if answer.status_code == 200 else ""


def _program_of(user: User | None) -> Client:
    """A program of that person; without an account it needs no token."""
    if user is None:
        return Client()
    _, secret = make_token(user, name="a test", scopes=[Scope.READ, Scope.ORGANISE])
    return Client(headers={"Authorization": f"Bearer {secret}"})
