"""A task as somebody does it who reads: every pair of it on the pages, by what the texts say, then handed in."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from tests.web.judging.campaigns import best_of
from tests.web.judging.walking import Walker

from toprung.web.core.models.judging import Campaign

QUERY = re.compile(r"What is known of (\w+)\?")
DOC = re.compile(r"This is what (\S+) says")


def come(campaign: Campaign) -> Walker:
    """Somebody by the link, who agrees and reads the guidelines."""
    walker = Walker(campaign)
    walker.get()
    walker.learn()
    return walker


def judge_all_on_pages(walkers: Sequence[Walker]) -> int:
    """In turn, until nothing is left to ask of any of them; returns how many tasks they did."""
    n_done = 0
    while n_now := sum(judge_task(walker) for walker in walkers):
        n_done += n_now
    return n_done


def judge_task(walker: Walker, *, better: Collection[str] = (), is_careless: bool = False) -> bool:
    """One more task, for texts as `campaigns.give_texts` gives them; texts that are ``better`` win. False if none."""
    walker.post("more/")
    walker.get("ready/")
    walker.post("ready/")
    task = walker.task()
    if "open" not in task:
        return False
    for slot in task["open"]:
        choice = choose_text(task["pairs"][slot], better=better, is_careless=is_careless)
        assert walker.send(assignment=task["assignment"], slot=slot, choice=choice, ms="9000").status_code == 200
    assert walker.post("hand-in/").status_code == 200
    return True


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
