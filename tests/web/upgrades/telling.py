"""Asks a server what it says, in a process with the settings of a server, and holds that to what it said before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.test import Client
from django.urls import reverse
from django_ox.testing import run_tasks
from tests.web.cast import PASSWORD

from toprung.web.core.models.people import Scope, User
from toprung.web.core.models.runs import Submission
from toprung.web.services.people.tokens import make_token

HOST = "localhost"
OF_EVERYBODY = ("", "/standings", "/claims", "/runs", "/data", "/labels")
OF_ORGANISERS = ("/audit", "/campaigns", "/campaigns/second-look")
PAGES = ("board", "runs", "claims", "data_files", "label_versions", "audit_log")
FACTS = frozenset(
    """
    slug title task measure opens_at closes_at is_open final_since cutoff depth rule release final_digest limit days
    label name team is_baseline state submitted_at withdrawn_at description tags anonymous_until score place rank_low
    rank_high top_group labels_version items count run
    number date against passed p level smallest_gain voided_on void_reason
    use version published_at current_since n_queries is_current is_hidden changes digest
    at who what details
    kind size link terms
    campaign live access is_standing reward budget started_at closed_at n_decided n_votes n_people
    """.split()
)
"""Keys of the API that say what is stored; others word it, or are computed from it."""


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


def facts_of(answer: Any) -> Any:
    """What must not change, of an answer with all that is nested in it."""
    if isinstance(answer, dict):
        return {key: value if key == "details" else facts_of(value) for key, value in answer.items() if key in FACTS}
    return [facts_of(each) for each in answer] if isinstance(answer, list) else answer
