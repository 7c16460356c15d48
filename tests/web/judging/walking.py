"""An assessor without a script: follows forms and links as a browser would, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client
from tests.web.judging.world import JudgingWorld

from toprung.web.core.models.judging import Campaign, JudgingVisit

HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
FORM = re.compile(r'<form method="post" id="answer".*?</form>', re.DOTALL)
TEXTS = re.compile(
    r'<h1 class="q"[^>]*>(.*?)</h1>.*?<p dir="auto"[^>]*>(.*?)</p>.*?<p dir="auto"[^>]*>(.*?)</p>', re.DOTALL
)
JSON = {"Accept": "application/json"}


@dataclass
class Walker:
    """One browser with its cookies."""

    campaign: Campaign
    client: Client = field(default_factory=Client)

    @property
    def home(self) -> str:
        return f"/judge/{self.campaign.key}/"

    def get(self, page: str = "", **query: str) -> HttpResponse:
        return self.client.get(self.home + page, query, follow=True)

    def post(self, page: str, data: dict[str, Any] | None = None, **more: Any) -> HttpResponse:
        return self.client.post(self.home + page, data or {}, follow=True, **more)

    def begin(self, **query: str) -> HttpResponse:
        """From the link to the first pair."""
        self.get(**query)
        self.learn()
        self.get("ready/")
        return self.post("ready/")

    def learn(self) -> None:
        """Consent and guidelines, to the door of the first task: what they lead to is not opened."""
        self.client.post(self.home + "consent/", {"agree": "1"})
        self.client.post(self.home + "guidelines/", {"choice": "right"})

    def fields(self, page: HttpResponse | None = None) -> dict[str, str]:
        """What the form of the pair that is shown would send."""
        text = (page or self.get("pairs/")).text
        form = FORM.search(text)
        assert form is not None, text
        return {name: value for name, value in HIDDEN.findall(form[0]) if name != "csrfmiddlewaretoken"}

    def texts(self, page: HttpResponse) -> tuple[str, str, str]:
        """The question and the two passages that are shown."""
        found = TEXTS.search(page.text)
        assert found is not None
        question, left, right = map(unescape, found.groups())
        return question, left, right

    def choose(self, choice: str, page: HttpResponse | None = None, **more: str) -> HttpResponse:
        return self.post("answer/", self.fields(page) | {"choice": choice} | more)

    def send(self, **fields: Any) -> HttpResponse:
        """An answer as the script sends it; all but what is said is right."""
        said = {"choice": "left", "answer_id": uuid4().hex, "ms": "1200"} | fields
        return self.client.post(self.home + "answer/", said, headers=JSON)

    def task(self) -> dict[str, Any]:
        task: dict[str, Any] = self.client.get(self.home + "task.json", headers=JSON).json()
        return task

    def judge_all(self, world: JudgingWorld, *, fails_golds: bool = False, most_failed: int = 99) -> None:
        """Answer what is open: golds right, or wrong so many of them, of all others the left one."""
        task, n_failed = self.task(), 0
        for slot in task["open"]:
            right, wrong = (good_side(world, task["pairs"][slot], fails=fails) for fails in (False, True))
            choice = wrong if fails_golds and n_failed < most_failed else right
            n_failed += choice != right
            assert self.send(assignment=task["assignment"], slot=slot, choice=choice).status_code == 200

    def judge_all_as(self, choice: str) -> None:
        """Answer what is open, always in the same way."""
        task = self.task()
        for slot in task["open"]:
            assert self.send(assignment=task["assignment"], slot=slot, choice=choice).status_code == 200

    def visit(self) -> JudgingVisit:
        return JudgingVisit.objects.filter(seat__campaign=self.campaign).latest("pk")


def good_side(world: JudgingWorld, pair: dict[str, str], *, fails: bool = False) -> str:
    """The side of a gold's good answer, or the other; of other pairs the left."""
    ids = {text.strip(): doc_id for doc_id, text in world.passages.items()}
    left = ids[pair["left"]]
    if not left.startswith("g"):
        return "left"
    is_left_good = left.endswith("-0")
    return "left" if is_left_good != fails else "right"
