"""What dies is started again, unless it is hopeless; what is asked to stop stops, politely at first."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from toprung.web.ops import children
from toprung.web.ops.children import Child, keep_running
from toprung.web.ops.run import workers

PATIENCE = 300.0


def python(code: str, *, name: str = "helper") -> Child:
    return Child(name=name, command=[sys.executable, "-c", code])


def ask_to_stop(number: int, *, once: Callable[[], bool], times: int = 1) -> threading.Thread:
    """Send this process a signal as soon as something holds; give up in time for the test to fail by itself."""

    def ask() -> None:
        latest = time.monotonic() + PATIENCE
        while not once() and time.monotonic() < latest:
            time.sleep(0.05)
        for _ in range(times):
            os.kill(os.getpid(), number)
            time.sleep(0.5)

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


@pytest.fixture
def hangup_counts() -> Iterator[None]:
    """Also where the tests run under nohup, which children would inherit."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.usefixtures("hangup_counts")
def test_a_stop_is_passed_on_and_waited_for(number: int, tmp_path: Path) -> None:
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    child = python(
        "import pathlib, signal, sys, time\n"
        f"signal.signal(signal.SIGTERM, lambda *_: (pathlib.Path({str(ended)!r}).touch(), sys.exit()))\n"
        f"pathlib.Path({str(begun)!r}).touch()\n"
        "time.sleep(900)"
    )
    asking = ask_to_stop(number, once=begun.exists)
    assert keep_running([child], say=pytest.fail) == 0
    asking.join()
    assert ended.exists()
    assert not child.is_running


def test_who_asks_twice_does_not_wait(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    child = python(
        "import pathlib, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"pathlib.Path({str(begun)!r}).touch()\n"
        "time.sleep(900)"
    )
    asking = ask_to_stop(signal.SIGINT, once=begun.exists, times=2)
    assert keep_running([child], say=pytest.fail) == 0
    asking.join()
    assert child.process is not None
    assert child.process.returncode == -signal.SIGKILL


def test_what_dies_at_once_again_and_again_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "PAUSE", 0.01)
    said: list[str] = []
    other = python("import time; time.sleep(900)")
    other.is_spared = True
    assert keep_running([python("raise SystemExit(3)", name="worker"), other], say=said.append) == 1
    assert said == [
        *["The worker ended; it is started again."] * 4,
        "The worker ended 5 times within 60 s; see its messages above.",
    ]
    assert not other.is_running


def test_a_worker_that_always_dies_never_ends_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is started again and again, and what is wrong is told; the other child lives through all of it."""
    monkeypatch.setattr(children, "PAUSE", 0.01)
    monkeypatch.setattr(children, "wait_after", lambda _: 0.0)
    said: list[str] = []
    told: list[list[str]] = []
    pid = tmp_path / "pid"
    other = python(
        f"import os, pathlib, time; pathlib.Path({str(pid)!r}).write_text(str(os.getpid())); time.sleep(900)"
    )
    dying = python("raise SystemExit(3)", name="worker")
    dying.is_spared = True
    asking = ask_to_stop(signal.SIGINT, once=lambda: len(dying.deaths) > children.MOST_DEATHS + 2 and pid.exists())
    assert keep_running([other, dying], say=said.append, tell=told.append) == 0
    asking.join()
    assert said[:2] == ["The worker ended; it is started again."] * 2
    assert other.process is not None
    assert int(pid.read_text()) == other.process.pid, "it was never started again"
    assert told[:2] == [
        [],
        ["The worker ended 2 times in a row, the last time with status 3; it is started again each time."],
    ]


def test_a_worker_that_has_lived_for_a_while_is_no_trouble_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    child = python("import time; time.sleep(900)", name="worker")
    child.is_spared, child.deaths = True, [1.0, 2.0, 3.0]
    child.start()
    assert child.trouble
    monkeypatch.setattr(children, "A_WHILE", 0.0)
    assert child.note_life()
    assert not child.trouble
    child.kill()


def test_one_process_of_the_web_server_that_dies_again_and_again_does_not_end_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(children, "PAUSE", 0.01)
    dying, living = python("raise SystemExit(3)"), python("import time; time.sleep(900)")
    asking = ask_to_stop(signal.SIGINT, once=lambda: len(dying.deaths) == children.MOST_DEATHS)
    assert keep_running([dying, living], say=lambda _: None) == 0
    asking.join()
    assert not living.deaths


def test_handlers_are_as_they_were_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "PAUSE", 0.01)
    before = [signal.getsignal(number) for number in children.STOP_SIGNALS]
    keep_running([python("raise SystemExit(3)")], say=lambda _: None)
    assert [signal.getsignal(number) for number in children.STOP_SIGNALS] == before


def test_a_command_under_nohup_does_not_hear_that_the_terminal_is_gone(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    request.addfinalizer(lambda: signal.signal(signal.SIGHUP, before))
    begun, heard = tmp_path / "begun", []

    def has_begun() -> bool:
        heard.append(signal.getsignal(signal.SIGHUP))
        return begun.exists()

    asking = ask_to_stop(signal.SIGINT, once=has_begun)
    child = python(f"import pathlib, time\npathlib.Path({str(begun)!r}).touch()\ntime.sleep(900)")
    assert keep_running([child], say=pytest.fail) == 0
    asking.join()
    assert set(heard) == {signal.SIG_IGN}


def test_who_computes_gives_way_to_who_is_waited_for(tmp_path: Path) -> None:
    for child in workers(3):
        told = tmp_path / child.name
        child.command = [sys.executable, "-c", f"import os; open({str(told)!r}, 'w').write(str(os.nice(0)))"]
        child.start()
        assert child.process is not None
        child.process.wait(PATIENCE)
    here, nicest = os.nice(0), 19
    found = {path.name: int(path.read_text()) for path in tmp_path.iterdir()}
    assert found == {"worker 1": here, "worker 2": min(here + 5, nicest), "worker 3": min(here + 5, nicest)}
    (alone,) = workers(1)
    assert not alone.gives_way
