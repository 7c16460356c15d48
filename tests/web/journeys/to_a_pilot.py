"""How does an organiser come from an empty server to a running pilot? By what docs/howto/run-a-campaign.md says."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.browser.chromium import Chromium
from tests.browser.looking import visit
from tests.web.journeys.counted import CountedWalk
from tests.web.journeys.made_for_a_pilot import Brought
from tests.web.journeys.site import TOPRUNG, serve_anew
from tests.web.journeys.sitting import sit_down, wait_for_pairs
from tests.web.journeys.walking import Walk

TITLE, SLUG = "Harbour questions", "harbour-questions"
COLLEAGUE = "colleague@example.org"
SECONDS_TO_IMPORT = 900


@dataclass(kw_only=True)
class PilotJourney:
    """What it took, and how it ended."""

    commands: int = 1
    """The server itself is one."""
    clicks: int = 0
    typed: int = 0
    words: int = 0
    """Of test pairs, which the organiser reads before keeping them."""
    seconds: dict[str, float] = field(default_factory=dict)
    """That each step kept the person waiting: the browser clicks and types at once."""
    campaign: str = ""
    """What its page says, once a colleague is at a pair."""
    pair: str = ""
    """Which one that is."""
    faults: list[str] = field(default_factory=list)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.seconds[name] = time.monotonic() - began


def go_to_a_pilot(chromium: Chromium, folder: Path, brought: Brought, environment: Mapping[str, str]) -> PilotJourney:
    """From a folder that is not there to the first pair of a colleague."""
    told, began = PilotJourney(), time.monotonic()
    with serve_anew(folder, environment) as (url, link), visit(chromium, link) as seen:
        told.seconds["server"] = time.monotonic() - began
        walk = CountedWalk(walk=Walk(seen=seen), clicks=1)
        with told.step("board"):
            _make_board(walk, brought)
        with told.step("runs"):
            _bring_runs(told, folder, brought, environment)
        with told.step("texts"):
            _give_texts(walk, brought)
        with told.step("draft"):
            _draft(walk)
        with told.step("test pairs and start"):
            _start(walk, told)
        with told.step("colleague"):
            way_in = _invite(walk)
        _sit_down(chromium, way_in, told)
        walk.walk.go(f"{url}/b/{SLUG}/organise/judging/second-look/")
        told.campaign, told.clicks, told.typed = walk.walk.reads("body"), walk.clicks, walk.typed
        told.faults += walk.walk.faults
    return told


def _make_board(walk: CountedWalk, brought: Brought) -> None:
    walk.press("Sign in")
    walk.walk.wait_for("Labels")
    walk.choose("official_file", brought.labels)
    walk.write(title=TITLE, task="Find what is known of a place.")
    for words, then in (
        ("Next: what is measured", "RR@10"),
        ("Next: policy", "queries this board sees gains of"),
        ("Next: check and open", "Everything is in place."),
    ):
        walk.press(words)
        walk.walk.wait_for(then)
    walk.tick("has_read")
    walk.press("Open the board")
    walk.walk.wait_for("The board is open;")


def _bring_runs(told: PilotJourney, folder: Path, brought: Brought, environment: Mapping[str, str]) -> None:
    """While the server runs."""
    told.commands += 1
    command = [*TOPRUNG, "host", "import-runs", SLUG, str(brought.runs), "--data", str(folder)]
    done = subprocess.run(
        command, env=dict(environment), capture_output=True, text=True, timeout=SECONDS_TO_IMPORT, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]


def _give_texts(walk: CountedWalk, brought: Brought) -> None:
    walk.follow("/organise/data/")
    for kind, file in (("queries", brought.queries), ("passages", brought.passages)):
        walk.select("kind", kind)
        walk.choose("file", file)
        walk.tick("is_hidden")
        walk.press("Give it")
        walk.walk.wait_for(file.name, within="main table")


def _draft(walk: CountedWalk) -> None:
    walk.follow("/organise/judging/")
    walk.follow("/organise/judging/+new/")
    walk.write(budget="200")
    walk.press("Say what it will buy")
    walk.walk.wait_for("Look at them")


def _start(walk: CountedWalk, told: PilotJourney) -> None:
    walk.follow("/golds/")
    walk.walk.wait_for("Is the first answer clearly the better one?")
    told.words = len(walk.walk.reads("ol.diff").split())
    walk.tick_all("gold-", "kept")
    walk.press("Save")
    walk.press("Start with a pilot")
    walk.walk.wait_for("The pilot has begun", within="body")


def _invite(walk: CountedWalk) -> str:
    """The link that lets them in."""
    walk.follow("/organise/people/")
    walk.write(email=COLLEAGUE)
    walk.select("role", "assessor")
    walk.press("Give the role")
    walk.walk.wait_for("is assessor now", within="body")
    walk.press("Login link for colleague")
    walk.walk.wait_for("It is shown only now")
    return walk.walk.reads("pre.code")


def _sit_down(chromium: Chromium, link: str, told: PilotJourney) -> None:
    with visit(chromium, link) as seen:
        other = Walk(seen=seen)
        other.press("Sign in")
        other.follow("Judge")
        seen.run(sit_down)
        seen.run(wait_for_pairs)
        told.pair = other.reads("#count")
        told.faults += other.faults
