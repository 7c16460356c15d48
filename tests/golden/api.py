"""How does the API describe itself?"""

from __future__ import annotations

from django.test import Client
from tests.golden.part import Part
from tests.golden.varying import to_settled_json


def make_api_part() -> Part:
    described = Client().get("/api/v1/openapi.json").text
    return Part(name="api", whole={"openapi.json": to_settled_json(described)})
