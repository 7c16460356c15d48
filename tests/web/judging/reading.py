"""A task as somebody does it who reads: every pair of it on the pages, by what the texts say, then handed in."""

from __future__ import annotations

import re
from collections.abc import Collection

from tests.web.judging.campaigns import best_of
from tests.web.judging.walking import Walker

QUERY = re.compile(r"What is known of (\w+)\?")
DOC = re.compile(r"This is what (\S+) says")


def judge_task(walker: Walker, *, better: Collection[str] = (), is_careless: bool = False) -> None:
    """The task that was begun, for texts as `campaigns.give_texts` gives them; texts that are ``better`` win."""
    task = walker.task()
    for slot in task["open"]:
        choice = choose_text(task["pairs"][slot], better=better, is_careless=is_careless)
        assert walker.send(assignment=task["assignment"], slot=slot, choice=choice, ms="9000").status_code == 200
    assert walker.post("hand-in/").status_code == 200


def choose_text(pair: dict[str, str], *, better: Collection[str], is_careless: bool) -> str:
    """The better answer; who is careless takes the left one, unless it is obviously about something else."""
    query = QUERY.search(pair["question"])
    assert query is not None
    best = best_of(query[1])
    is_about = {side: pair[side] in better or query[1] in pair[side] for side in ("left", "right")}
    if is_about["left"] != is_about["right"]:
        return "left" if is_about["left"] else "right"
    if is_careless or pair["left"] in better:
        return "left"
    found = DOC.search(pair["left"])
    return "left" if found is not None and found[1] == best and pair["right"] not in better else "right"
