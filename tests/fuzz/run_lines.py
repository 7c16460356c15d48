"""Do all readers of run lines agree? The scanner, Polars, the line parser and ``validate`` on lines made to part them.

The grammar is in docs/reference/formats.md. ``differences`` reads one text every way there is and says where two of
them disagree: in what they take, in what they make of it, or in the sentence by which they refuse it.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toprung.data.formats.runs.files import place_file, read_run
from toprung.data.formats.runs.validate import validate_run
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.errors import ToprungError

QRELS = Qrels.from_dict({f"q{query}": {f"d{doc}": doc % 3 for doc in range(6)} for query in range(3)})
PIECES = [
    *(b" ", b"  ", b"\t", b" \t", b"\r", b"\n", b"\r\n", b"\r \n", b"\r\r\n", b" \n", b"\n\n", b"\n ", b"", b"\x00"),
    *(b"\x0b", b"\x0c", b"\x1c", b"\x7f", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc2\x85", b"\xc2\xa0", b"\xe2\x80\xa8"),
    *(b"\xef\xbb\xbf", b'"', b"'", b"#", b",", b";", b"\\", b"q0", b"q1", b"d1", b"d2", b"Q0", b"t", b"\xc3\xa9"),
    *(b"1", b"-1", b"+2", b"007", b"0", b"1.0", b"1e3", b"2147483648", b"9" * 18, b"9" * 19, b"0" * 30 + b"1"),
    *(b"2.5", b".5", b"5.", b"-0.0", b"1e-400", b"1e400", b"nan", b"-inf", b"Infinity", b"0x1p3", b"1_0", b"1,5"),
    *(b"0.1" * 9, b"1e", b"e5", b".", b"-", b"+", b"\xd9\xa1", b"1" * 40, b"16777217", b"16777216", b"null", b"NA"),
]


def make_run(rng: random.Random) -> bytes:
    """Some good lines of a run, with a few pieces put in, taken out or put in the place of others."""
    is_trec, separator = rng.random() < 0.7, rng.choice([b" ", b" ", b"\t", b"  "])
    end = rng.choice([b"\n", b"\n", b"\r\n"])
    queries = sorted(rng.choices([b"q0", b"q1", b"q2"], k=rng.randint(1, 6)))
    lines = []
    for number, query in enumerate(queries, start=1):
        doc, rank = b"d%d" % rng.randrange(9), b"%d" % number
        columns = [query, b"Q0", doc, rank, b"%d.5" % (9 - number), b"t"] if is_trec else [query, doc, rank]
        lines.append(separator.join(columns))
    text = end.join(lines) + rng.choice([end, b""])
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        text = _changed(text, rng)
    return text


def _changed(text: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(text) + 1)
    piece = rng.choice(PIECES)
    way = rng.randrange(4)
    if way == 0:
        return text[:at] + piece + text[at:]
    if way == 1:
        return text[:at] + piece + text[at + rng.randint(1, 3) :]
    if way == 2:  # a whole column for another
        columns = text.split(b" ")
        columns[rng.randrange(len(columns))] = piece
        return b" ".join(columns)
    return text[:at] + text[at + rng.randint(1, 3) :]


def differences(path: Path) -> list[str]:
    """Where two readers disagree about the file, in words; nothing where they all agree."""
    placed = {switch: _outcome(switch, lambda: _facts(place_file(path, QRELS))) for switch in ("on", "off")}
    whole = {switch: _outcome(switch, lambda: _rows(path)) for switch in ("on", "off")}
    judged = {switch: _outcome(switch, lambda: _judgment(path)) for switch in ("on", "off")}
    found = [
        f"{name}: {by_switch['on']!r} by the scanner, {by_switch['off']!r} without"
        for name, by_switch in (("placed", placed), ("read", whole), ("judged", judged))
        if by_switch["on"] != by_switch["off"]
    ]
    message, judgment, read = placed["on"], judged["on"], whole["on"]
    if (isinstance(message, str) or isinstance(read, str)) and message != read:
        found.append(f"placed {message!r}, read {read!r}")
    if isinstance(judgment, dict) and judgment["is valid"] == isinstance(message, str):
        found.append(f"placed {message!r}, judged {judgment!r}")
    return found


def _outcome(switch: str, read: Callable[[], dict[str, Any]]) -> dict[str, Any] | str:
    os.environ["TOPRUNG_SCANNER"] = switch
    try:
        return read()
    except ToprungError as error:
        return str(error)
    finally:
        del os.environ["TOPRUNG_SCANNER"]


def _rows(path: Path) -> dict[str, Any]:
    run = read_run(path)
    return {"rows": run.to_frame().rows(), "tag": run.tag, "contradicting": run.n_contradicting_queries}


def _judgment(path: Path) -> dict[str, Any]:
    found = validate_run(path)
    return {"is valid": found.is_valid, "rows": found.n_rows, "text": found.to_text()}


def _facts(found: Placement) -> dict[str, Any]:
    ranks = {name: getattr(found, name).tolist() for name in ("rank", "tie_first", "tie_last", "retrieved")}
    ranks["rank_32_bit"] = None if found.rank_32_bit is None else found.rank_32_bit.tolist()
    return ranks | {"rows": found.n_rows, "unknown": found.n_unknown_queries, "against": found.n_contradicting_queries}
