"""Is an answer ever lost, or asked for twice? The real command is killed at random points and started again."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.labels.model_server import ModelServer, Served, prefers_the_shorter, says, serving

from toprung.labels.effort.effort import Effort
from toprung.labels.judges.answers import ANSWERS
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import add_pools

N_PAIRS = 30
KILLS = 4


@pytest.fixture
def server() -> Iterator[ModelServer]:
    def slowly(payload: dict[str, object]) -> Served:
        return Served(body=says(prefers_the_shorter(payload)).body, wait=0.004)

    with serving() as found:
        found.behaviour = slowly
        yield found


@pytest.fixture
def state(tmp_path: Path) -> Effort:
    state = Effort.open_or_create(tmp_path / "state")
    add_pools(state, [Pool(query_id=f"q{i}", items=(f"a{i}", f"b{i}")) for i in range(N_PAIRS)])
    (tmp_path / "queries.tsv").write_text("".join(f"q{i}\twhy {i}?\n" for i in range(N_PAIRS)))
    texts = [f"a{i}\tshort {i}\nb{i}\ta longer text {i}\n" for i in range(N_PAIRS)]
    (tmp_path / "docs.tsv").write_text("".join(texts))
    return state


def start(state: Effort, server: ModelServer, at_once: int) -> subprocess.Popen[bytes]:
    home = state.folder.parent
    return subprocess.Popen(
        [
            *(Path(sys.executable).with_name("toprung"), "labels", "judge", "--state", state.folder),
            *("--queries", home / "queries.tsv", "--documents", home / "docs.tsv"),
            *("--endpoint", server.url, "--model", "m", "--at-once", str(at_once)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"},
    )


def kill_after(process: subprocess.Popen[bytes], server: ModelServer, requests: int, delay: float) -> None:
    """Kill the process once the server was asked so often, a moment later."""
    until = time.monotonic() + 300
    while len(server.asked) < requests and process.poll() is None and time.monotonic() < until:
        time.sleep(0.0005)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.communicate()


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_killed_judge_loses_no_answer_and_asks_none_twice_that_is_stored(
    state: Effort, server: ModelServer, at_once: int
) -> None:
    chance = random.Random(at_once)
    stored_before: Counter[tuple[str, str, str]] = Counter()
    for _ in range(KILLS):
        asked_from = len(server.asked)
        process = start(state, server, at_once)
        kill_after(process, server, asked_from + chance.randint(1, 9), chance.uniform(0, 0.02))
        asked_now = server.asked[asked_from:]
        assert asked_now
        stored = Counter((each["query_id"], each["left"], each["right"]) for each in state.read(ANSWERS))
        assert not stored_before - stored  # nothing that was stored is gone
        assert not [order for order in stored_before if any(_is_asked(order, payload) for payload in asked_now)]
        stored_before = stored
    last = start(state, server, at_once)
    output, _ = last.communicate(timeout=300)
    assert last.returncode == 0, output.decode()

    orders = Counter((each["query_id"], each["left"], each["right"]) for each in state.read(ANSWERS))
    assert len(orders) == 2 * N_PAIRS
    assert set(orders.values()) == {1}
    judgments = state.read_judgments().rows
    assert len(judgments) == len({each.pair for each in judgments}) == N_PAIRS
    assert {each.winner for each in judgments} == {f"a{i}" for i in range(N_PAIRS)}
    # Only answers that were under way when the process was killed were asked for again.
    assert len(server.asked) - 2 * N_PAIRS <= KILLS * at_once


@pytest.mark.parametrize("at_once", [1, 3])
def test_an_interrupted_judge_says_that_nothing_is_lost(state: Effort, server: ModelServer, at_once: int) -> None:
    process = start(state, server, at_once)
    until = time.monotonic() + 300
    while len(server.asked) < 5 and time.monotonic() < until:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 130
    assert output.decode() == "Interrupted; every answer is kept, and the same command goes on from here.\n"
    assert len(state.read(ANSWERS)) >= 4 - at_once


def _is_asked(order: tuple[str, str, str], payload: dict[str, object]) -> bool:
    query_id, left, right = order
    number = query_id.removeprefix("q")
    said = {f"a{number}": f"short {number}", f"b{number}": f"a longer text {number}"}
    asked = json.dumps(payload)
    return f"\\n{said[left]}\\n</passage_1 " in asked and f"\\n{said[right]}\\n</passage_2 " in asked


def test_an_interrupted_person_goes_on_too(state: Effort) -> None:
    """Keys come through a pipe; the process is killed after each."""
    home = state.folder.parent
    command = [
        *(Path(sys.executable).with_name("toprung"), "labels", "judge", "--state", state.folder, "--terminal"),
        *("--queries", home / "queries.tsv", "--documents", home / "docs.tsv", "--assessor", "ann"),
    ]
    for n_kept in (1, 2, 3):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        assert process.stdin is not None
        process.stdin.write(b"1")
        process.stdin.flush()
        until = time.monotonic() + 300
        while len(state.read_judgments().rows) < n_kept and time.monotonic() < until:
            time.sleep(0.005)
        process.kill()
        process.communicate()
    rows = state.read_judgments().rows
    assert len(rows) == len({each.pair for each in rows}) == 3
