"""How tests ask the API: with a token or without, in JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.test import Client

from toprung.web.core.models.people import Scope, Team, User
from toprung.web.services.people.tokens import make_token

BASE = "/api/v1"
EVERYTHING = tuple(Scope)


@dataclass(frozen=True, kw_only=True)
class Program:
    """Asks with one token; without one as anybody."""

    secret: str = ""

    def ask(
        self, method: str, path: str, body: Any = None, *, content: bytes | None = None, **headers: str
    ) -> HttpResponse:
        """``headers``: such as ``Upload_Offset``."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.secret:
            named.setdefault("Authorization", f"Bearer {self.secret}")
        content_type = named.pop("Content-Type", "application/json" if content is None else "application/octet-stream")
        sent = content if content is not None else b"" if body is None else json.dumps(body).encode()
        return Client().generic(method, f"{BASE}{path}", sent, content_type=content_type, headers=named)

    def get(self, path: str) -> Any:
        response = self.ask("GET", path)
        assert response.status_code == 200, response.content.decode()
        return response.json()

    def status(self, method: str, path: str, body: Any = None, **options: Any) -> int:
        return self.ask(method, path, body, **options).status_code

    def start(self, slug: str, team: str, content: bytes, *, name: str = "run.txt") -> HttpResponse:
        return self.ask("POST", f"/boards/{slug}/files", announce(team, content, name=name))

    def send_piece(self, slug: str, file_id: str, content: bytes, offset: int) -> HttpResponse:
        return self.ask("PATCH", f"/boards/{slug}/files/{file_id}", content=content, Upload_Offset=str(offset))

    def send(self, slug: str, team: str, content: bytes) -> str:
        """A whole file in one piece; returns its id."""
        started = self.start(slug, team, content)
        assert started.status_code in (200, 201), started.content.decode()
        file_id: str = started.json()["id"]
        sent = self.send_piece(slug, file_id, content, 0)
        assert sent.status_code == 200, sent.content.decode()
        return file_id


def announce(team: str, content: bytes, *, name: str = "run.txt") -> dict[str, Any]:
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    return {"team": team, "file_name": name, "size": len(content), "digest": digest}


def program_of(user: User, *scopes: Scope, team: Team | None = None) -> Program:
    _, secret = make_token(user, name="a test", scopes=_or_everything(scopes), team=team)
    return Program(secret=secret)


def _or_everything(scopes: Iterable[Scope]) -> tuple[Scope, ...]:
    return tuple(scopes) or EVERYTHING
