"""What an effort wrote is read as columns; all else is left to the reader of records. Both say the same."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toprung.data.formats.judgments.kept import parse_kept
from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments
from toprung.errors import FormatError
from toprung.labels.effort.effort import SHORTEST, Effort
from toprung.labels.effort.store import RecordStore

TEXTS = st.text(min_size=1, max_size=6) | st.sampled_from(
    ["é", "日本", 'a"b', "a\\b", "a\tb", "\x7f", "a, b", "{", "null"]
)


@st.composite
def made_judgments(draw: st.DrawFn) -> Judgment:
    left, right = draw(st.lists(TEXTS, min_size=2, max_size=2, unique=True))
    maybe = st.none() | TEXTS
    return Judgment(
        judgment_id=draw(TEXTS),
        query_id=draw(TEXTS),
        left=left,
        right=right,
        choice=draw(st.sampled_from(Choice)),
        assessor=draw(st.just("") | TEXTS),
        kind=draw(st.sampled_from(AssessorKind)),
        task_id=draw(maybe),
        slot=draw(st.none() | st.integers(0, 2**53)),
        is_gold=draw(st.booleans()),
        ms=draw(st.none() | st.integers(0, 10**6)),
        supersedes=draw(maybe),
    )


def written(judgments: list[Judgment]) -> bytes:
    return "".join(json.dumps(each.to_record(), ensure_ascii=False) + "\n" for each in judgments).encode()


@settings(max_examples=200, deadline=None)
@given(judgments=st.lists(made_judgments(), min_size=1, max_size=5))
def test_columns_hold_what_was_written(judgments: list[Judgment]) -> None:
    found = parse_kept(written(judgments))
    first = tuple({each.judgment_id: each for each in reversed(judgments)}.values())[::-1]
    by_order = tuple(sorted(first, key=judgments.index))
    if found is None:  # a text was escaped
        assert any(part in written(judgments) for part in (b"\\", b"\x7f"))
        return
    assert found.rows == by_order
    assert found.digest == Judgments.of(by_order).digest


@settings(max_examples=100, deadline=None)
@given(judgments=st.lists(made_judgments(), min_size=1, max_size=5, unique_by=lambda each: each.judgment_id))
def test_digest_is_of_the_lines_in_ascii(judgments: list[Judgment]) -> None:
    import hashlib

    superseded = {each.supersedes for each in judgments}
    current = [each for each in judgments if each.judgment_id not in superseded]
    lines = sorted(json.dumps(each.to_record()) for each in current)
    expected = f"sha256:{hashlib.sha256('\n'.join(lines).encode()).hexdigest()}"
    assert Judgments.of(judgments).digest == expected


RIGHT: dict[str, Any] = {
    "judgment_id": "j1",
    "query_id": "q",
    "left": "a",
    "right": "b",
    "choice": "left",
    "assessor": "ann",
    "kind": "human",
    "slot": 1,
}


@pytest.mark.parametrize(
    "change",
    [
        {"query_id": 5},
        {"query_id": ""},
        {"left": None},
        {"right": "a"},
        {"choice": "middle"},
        {"kind": "robot"},
        {"slot": -1},
        {"slot": 1.5},
        {"slot": "1"},
        {"slot": 2**53 + 1},
        {"is_gold": "yes"},
        {"is_gold": 1},
        {"ms": True},
        {"task_id": ""},
        {"supersedes": ["j0"]},
        {"colour": "red"},
    ],
)
def test_a_wrong_value_is_named_with_its_line(tmp_path: Path, change: dict[str, Any]) -> None:
    effort = Effort.open_or_create(tmp_path / "state")
    effort.append("judgments", [RIGHT, RIGHT | {"judgment_id": "j2"} | change])
    with pytest.raises(FormatError) as found:
        effort.read_judgments()
    with pytest.raises(FormatError) as expected:
        RecordStore.read_judgments(effort)
    assert found.value.line == expected.value.line == 2
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize(
    "line",
    [
        b'{"judgment_id": "j2", "query_id": "q", "left": "a", "right": "b", "choice": "left", "choice": "right"}',
        b'{"query_id": "q", "judgment_id": "j2", "left": "a", "right": "b", "choice": "left", "kind": "human"}',
        b'{"judgment_id":"j2","query_id":"q","left":"a","right":"b","choice":"left"}',
        b'{"judgment_id": "j\\u0032", "query_id": "q", "left": "a", "right": "b", "choice": "left", "kind": "human"}',
        b' {"judgment_id": "j2", "query_id": "q", "left": "a", "right": "b", "choice": "tie", "kind": "human"} ',
    ],
)
def test_lines_of_others_are_read_as_records(tmp_path: Path, line: bytes) -> None:
    effort = Effort.open_or_create(tmp_path / "state")
    effort.append("judgments", [RIGHT])
    with effort.path_of("judgments").open("ab") as file:
        file.write(line + b"\n")
    assert parse_kept(effort.path_of("judgments").read_bytes()) is None
    found = effort.read_judgments()
    assert [each.judgment_id for each in found.rows] == ["j1", "j2"]
    assert found.rows == RecordStore.read_judgments(effort).rows


@pytest.mark.parametrize(
    "rubbish", [b"", b"\n", b"\n\n", b"null\n", b"[]\n", b"5\n", b"{}\n", b"\xff\xfe\n", b'{"a": \n']
)
def test_rubbish_is_not_understood(rubbish: bytes) -> None:
    assert parse_kept(rubbish) is None


def test_deep_nesting_is_not_followed() -> None:
    deep = b'{"judgment_id": ' + b"[" * 200_000 + b"]" * 200_000 + b"}\n"
    assert parse_kept(deep) is None
    assert parse_kept(b'{"a":' * 200_000 + b"1" + b"}" * 200_000 + b"\n") is None


def test_many_short_lines_are_refused_at_the_first(tmp_path: Path) -> None:
    shortest = {"judgment_id": "j", "query_id": "q", "left": "a", "right": "b", "choice": "tie"}
    assert len(json.dumps(shortest, separators=(",", ":"))) >= SHORTEST
    effort = Effort.open_or_create(tmp_path / "state")
    effort.path_of("judgments").write_bytes(b"{}\n" * 1_000_000)
    tracemalloc.start()
    with pytest.raises(FormatError, match="Found no judgment_id") as found:
        effort.read_judgments()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.value.line == 1
    assert peak < 30_000_000  # the file has three million bytes
