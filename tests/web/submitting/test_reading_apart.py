"""Work is done apart: whatever becomes of the child, the caller goes on and knows what it was."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.web import deadly

from toprung.errors import FormatError
from toprung.web.core.apart.limits import ChildLimits
from toprung.web.core.apart.process import ChildCrashedError, OverLimitError, run_apart
from toprung.web.core.apart.warm import LOADED

LIMITS = ChildLimits(memory_bytes=1 << 30, cpu_seconds=20)
SOURCES = Path(__file__).parents[3] / "src"
READ_FILES = frozenset(
    (
        *("read_run", "validate_run", "read_and_place", "place_file", "StoredRun", "evaluate", "challenge_interval"),
        *("read_qrels", "read_leaderboard", "read_judgments", "read_texts", "pack_texts"),
        *("read_content", "stream_content", "tomllib"),
    )
)
"""What opens a file from outside, or is given one to open."""
PARTS_OF_CHILDREN = {"toprung.web.services.runs.near_duplicates"}
READ_AGAIN = {"toprung.web.core.store.columns"}
"""Labels that a board has: a child has read the same bytes to their end before they were stored."""


def test_what_it_returns_comes_back() -> None:
    assert run_apart(deadly.divide, 17, 5, limits=LIMITS) == (3, 2)
    assert run_apart(deadly.own_pid, limits=LIMITS) != os.getpid()


def test_what_it_raises_comes_back_as_it_was() -> None:
    with pytest.raises(FormatError, match=r"run\.txt, line 3: found nothing; expected something") as caught:
        run_apart(deadly.refuse, "run.txt", limits=LIMITS)
    assert caught.value.line == 3


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ONLY LINUX has all of these limits")
def test_the_child_has_the_limits_and_no_core_is_written() -> None:
    assert run_apart(deadly.measure_limits, limits=LIMITS) == [1 << 30, 20, 64, 0]


@pytest.mark.parametrize(
    ("does", "says"), [(deadly.abort, "it was ended by SIGABRT"), (deadly.be_killed, "it was ended by SIGKILL")]
)
def test_a_crash_is_an_error_like_others(does: object, says: str) -> None:
    with pytest.raises(ChildCrashedError, match=says):
        run_apart(does, limits=LIMITS)  # type: ignore[arg-type]  # functions of several kinds
    assert run_apart(deadly.divide, 17, 5, limits=LIMITS) == (3, 2), "the next child is none the worse for it"


def test_too_much_time_is_over_the_limit() -> None:
    with pytest.raises(OverLimitError, match="more than 1 second of processor time"):
        run_apart(deadly.loop, limits=ChildLimits(memory_bytes=1 << 30, cpu_seconds=1))


def test_too_much_memory_is_over_the_limit() -> None:
    with pytest.raises(OverLimitError, match="more than 1,024 MB of memory"):
        run_apart(deadly.eat, limits=LIMITS)


def test_too_many_files_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Too many open files"):
        run_apart(deadly.open_many, tmp_path, limits=LIMITS)


def test_what_stands_still_is_ended() -> None:
    with pytest.raises(ChildCrashedError, match="it stood still for 1 s"):
        run_apart(deadly.stand_still, limits=deadly.Impatient(memory_bytes=1 << 30, cpu_seconds=20))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ONLY LINUX ends children with their parent")
def test_a_caller_that_is_killed_takes_its_children_along(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    code = (
        "from pathlib import Path\n"
        "from tests.web import deadly\n"
        "from toprung.web.core.apart.limits import ChildLimits\n"
        "from toprung.web.core.apart.process import run_apart\n"
        "if __name__ == '__main__':\n"
        f"    run_apart(deadly.note_and_sleep, Path({str(marker)!r}), "
        "limits=ChildLimits(memory_bytes=1 << 30, cpu_seconds=20))\n"
    )
    script = tmp_path / "caller.py"
    script.write_text(code)
    path = os.pathsep.join(filter(None, sys.path))
    caller = subprocess.Popen([sys.executable, str(script)], env={**os.environ, "PYTHONPATH": path})
    wait_for(lambda: marker.exists() and marker.read_text() != "")
    caller.kill()
    caller.wait()
    pid = int(marker.read_text())
    wait_for(lambda: not is_alive(pid))


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for(holds: object) -> None:
    latest = time.monotonic() + 300
    while not holds():  # type: ignore[operator]  # any claim
        assert time.monotonic() < latest, "it took too long"
        time.sleep(0.05)


def test_no_module_of_the_boards_opens_a_file_from_outside_but_those_of_children() -> None:
    modules = {".".join(path.relative_to(SOURCES).with_suffix("").parts): path for path in _web_sources()}
    found = {name for name, path in modules.items() if READ_FILES & _names_imported(path)}
    children = {each for each in LOADED if each in modules}
    assert found - children - PARTS_OF_CHILDREN - READ_AGAIN == set()
    assert len(children & found) >= 8, "so that the line above can fail"


def _web_sources() -> list[Path]:
    return sorted((SOURCES / "toprung" / "web").rglob("*.py"))


def _names_imported(path: Path) -> set[str]:
    imports = [each for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.Import | ast.ImportFrom)]
    return {alias.name for each in imports for alias in each.names}
