"""What a child sends back is data: a child that a file has taken over cannot make its parent run anything."""

from __future__ import annotations

import ast
import json
import os
import pickle
import socket
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.web import deadly

from toprung.data.formats.content import Limits
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import read_run
from toprung.errors import FormatError, NoOverlapError, TooLargeError
from toprung.web.core.apart import reply as replies
from toprung.web.core.apart.limits import ChildLimits
from toprung.web.core.apart.process import ChildCrashedError, OverLimitError, run_apart
from toprung.web.core.apart.reply import (
    ERROR,
    MOST_VALUES,
    SIZE_BYTES,
    VALUE,
    BadReplyError,
    Float64s,
    Int32s,
    SentError,
    SentFormatError,
    read_reply,
    write_error,
    write_value,
)
from toprung.web.services.boards.toml_reading import parse_toml, receive_toml, send_toml
from toprung.web.services.labels.reading import read_labels_file
from toprung.web.services.runs.reading_tops import SentRun

LIMITS = ChildLimits(memory_bytes=1 << 30, cpu_seconds=20)
WEB = Path(__file__).parents[3] / "src/toprung/web"
LOADS_CODE = {"pickle", "_pickle", "cPickle", "shelve", "marshal", "joblib", "dill", "cloudpickle"}


class Trap:
    """Unpickled, it makes a file."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.marker,)


def framed(reply: bytes) -> bytes:
    return len(reply).to_bytes(SIZE_BYTES) + reply


@pytest.mark.parametrize("kind", [b"", VALUE, ERROR], ids=["alone", "as a value", "as an error"])
def test_a_pickle_that_comes_back_is_not_run(tmp_path: Path, kind: bytes) -> None:
    marker = tmp_path / "ran"
    with pytest.raises(ChildCrashedError, match="it sent back something else than it was asked for"):
        run_apart(deadly.send_raw, framed(kind + pickle.dumps(Trap(marker))), limits=LIMITS)
    assert not marker.exists()
    pickle.loads(pickle.dumps(Trap(marker)))
    assert marker.exists(), "so that the line above can fail"


def test_no_module_of_the_boards_imports_what_loads_code_from_data() -> None:
    sources = sorted(WEB.rglob("*.py"))
    assert len(sources) > 100
    assert {path.name for path in sources if LOADS_CODE & names_imported(path)} == set()
    loads = [path.name for path in sources if "np.load(" in path.read_text() or ".recv()" in path.read_text()]
    assert loads == [], "a connection of multiprocessing unpickles what it receives"


def names_imported(path: Path) -> set[str]:
    tree = list(ast.walk(ast.parse(path.read_text())))
    plain = {alias.name.partition(".")[0] for each in tree if isinstance(each, ast.Import) for alias in each.names}
    return plain | {(each.module or "").partition(".")[0] for each in tree if isinstance(each, ast.ImportFrom)}


def test_an_honest_reply_is_read_and_one_byte_more_or_less_is_not() -> None:
    assert run_apart(deadly.send_raw, framed(VALUE + b'{"a": 1.5}'), limits=LIMITS) == {"a": 1.5}
    for reply in (b'{"a": 1.5', b'{"a": 1.5}}', b'{"a": "1.5"}', b"[1.5]", b"", b"[" * 100_000):
        with pytest.raises(ChildCrashedError, match="something else"):
            run_apart(deadly.send_raw, framed(VALUE + reply), limits=LIMITS)


@pytest.mark.parametrize("piece", [b"[],", b'{"":[', b"0,"])
def test_a_reply_of_very_many_values_is_not_read(piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "type_returned_by", lambda _: pytest.fail("it was read"))
    with pytest.raises(BadReplyError):
        read_reply(deadly.send_raw, VALUE + b"[" + piece * MOST_VALUES)


def test_a_reply_that_is_announced_too_large_is_not_waited_for() -> None:
    with pytest.raises(OverLimitError, match="more than 256 MB to say what is in it"):
        run_apart(deadly.send_half, (1 << 40).to_bytes(SIZE_BYTES), limits=LIMITS)


@pytest.mark.parametrize("work", [deadly.send_half, deadly.send_and_close], ids=["open", "closed"])
def test_half_a_reply_is_waited_for_no_longer_than_the_child_may_take(work: Callable[..., Any]) -> None:
    with pytest.raises(ChildCrashedError, match="it stood still for 1 s"):
        run_apart(work, framed(VALUE + b"{}")[:-1], limits=deadly.Impatient(memory_bytes=1 << 30, cpu_seconds=20))


def test_an_error_that_is_not_known_is_told_by_its_name_alone() -> None:
    with pytest.raises(RuntimeError, match="OwnError: a message") as caught:
        run_apart(deadly.raise_own, limits=LIMITS)
    assert type(caught.value) is RuntimeError


@pytest.mark.parametrize(
    "error",
    [
        FormatError(source="a.run", line=3, found="\udcff", expected="text", advice="Look."),
        TooLargeError(source="a.run", found="much", expected="less"),
        NoOverlapError("no query"),
        KeyError("q1"),
        ValueError(),
        OSError(24, "Too many open files"),
        FileNotFoundError(2, "No such file", "a.run"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_that_are_known_come_back_as_they_were(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        read_reply(deadly.raise_own, write_error(error))
    assert type(caught.value) is type(error)
    assert str(caught.value) == str(error).encode(errors="backslashreplace").decode()


@pytest.mark.parametrize(
    "said",
    [
        {"kind": "SystemExit", "message": "1"},
        {"kind": "os.system", "message": "touch /tmp/ran"},
        {"kind": "__import__", "message": "os"},
    ],
)
def test_an_error_that_is_made_up_is_a_plain_one(said: dict[str, str]) -> None:
    with pytest.raises(RuntimeError, match=said["message"]):
        read_reply(deadly.raise_own, ERROR + json.dumps(said).encode())


@dataclass(frozen=True, kw_only=True)
class Columns:
    ranks: Int32s
    scores: list[Float64s]


def columns() -> list[Columns | SentError]:
    return [Columns(ranks=np.array([1, 0], np.int32), scores=[np.array([0.1, np.nan])]), ValueError("no query")]


def fault() -> SentFormatError | None:
    return None


def test_arrays_and_errors_in_a_value_come_back_as_they_were() -> None:
    one, error = read_reply(columns, write_value(columns()))
    assert isinstance(one, Columns)
    assert (one.ranks.dtype, one.ranks.tolist()) == (np.int32, [1, 0])
    assert one.scores[0].dtype == np.float64
    assert np.array_equal(one.scores[0], [0.1, np.nan], equal_nan=True)
    assert (type(error), str(error)) == (ValueError, "no query")
    assert read_reply(fault, write_value(None)) is None


@pytest.mark.parametrize(
    "array",
    [
        {"dtype": "object", "data": "AAAA"},
        {"dtype": "float64", "data": "AAAAAA=="},
        {"dtype": "int32", "data": "AAA="},
        {"dtype": "int32", "data": "~"},
        {"dtype": "int32"},
        [1, 0],
        {"dtype": ["int32"], "data": None},
    ],
)
def test_an_array_of_another_kind_or_of_broken_bytes_is_refused(array: object) -> None:
    reply = VALUE + json.dumps([{"ranks": array, "scores": []}]).encode()
    with pytest.raises(BadReplyError):
        read_reply(columns, reply)


@pytest.mark.parametrize("said", [{"kind": "ValueError", "message": "x"}, {"kind": 1}, [], "FormatError"])
def test_another_error_than_the_one_declared_is_refused(said: object) -> None:
    with pytest.raises(BadReplyError):
        read_reply(fault, VALUE + json.dumps(said).encode())


def test_what_json_has_no_form_for_is_an_error_in_the_child() -> None:
    for value in (object(), np.array([object()]), np.zeros((2, 2)), np.zeros(2, np.float32)):
        with pytest.raises((TypeError, ValueError), match="to send back; expected plain values"):
            write_value(value)


def test_labels_come_back_as_they_were_read(tmp_path: Path) -> None:
    (path := tmp_path / "a.qrels").write_text("q1 0 d1 1\nq1 0 dä 0\nq2 0 d1 -1\n")
    sent = run_apart(read_labels_file, path, Limits(), limits=LIMITS)
    assert sent.to_qrels().to_dict() == read_qrels(path).to_dict()
    assert sent.to_qrels().digest == read_qrels(path).digest


def test_a_run_comes_back_as_it_was_read_and_columns_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    (path := tmp_path / "a.run").write_text("q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 0.1 t\nq2 Q0 d1 1 1 t\n")
    run = read_run(path)
    sent = read_reply(returns_run, write_value(SentRun.of(run)))
    assert sent.to_run().to_frame().equals(run.to_frame())
    for name, value in (("starts", [0, 9, 3]), ("starts", [0, 3]), ("doc_ids", ["d1"]), ("query_ids", ("q1",))):
        wrong = np.array(value) if name == "starts" else value
        fields = {each: getattr(sent, each) for each in sent.__dataclass_fields__} | {name: wrong}
        with pytest.raises(ValueError, match="found columns that do not fit together"):
            SentRun(**fields).to_run()


def returns_run() -> SentRun:
    raise NotImplementedError


def test_days_and_times_of_a_board_file_come_back_as_they_were() -> None:
    text = (
        b"a = 2026-12-01\nb = 2026-12-01T12:00:00Z\nc = 12:30:00\n"
        b"d = [{e = 2026-12-01T12:00:00}]\nf = nan\ng = '2026-12-01'\n"
    )
    sent = read_reply(send_toml, write_value(send_toml(text)))
    back = {key: receive_toml(value) for key, value in sent.items()}
    assert repr(back) == repr(parse_toml(text))
    assert back["a"] == date(2026, 12, 1)
    assert back["b"] == datetime(2026, 12, 1, 12, tzinfo=UTC)
    assert (back["c"], back["g"]) == (time(12, 30), "2026-12-01")


def test_the_child_is_no_sandbox(tmp_path: Path) -> None:
    """As docs/security.md says: it has limits, and the rights of the server's user."""
    (private := tmp_path / "private").write_text("own files")
    private.chmod(0o600)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        found = run_apart(deadly.look_around, listener.getsockname()[1], private, limits=LIMITS)
    assert found == [f"user {os.getuid()}", "own files", "environment", "new process", "network", "parent"]
