"""The compiled scanner says what the other readers say, on any file."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs import compiled, table_reader
from toprung.data.formats.runs.files import place_file
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.text import RunText
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.errors import ToprungError

Place = Callable[[RunText, Qrels], Placement]

QRELS = Qrels.from_dict({f"q{query}": {f"d{doc}": doc % 3 for doc in range(6)} for query in range(3)})
PAIR = Qrels.from_dict({"q": {"d1": 1, "d2": 1}})
WHOLE_FILE = 1 << 24


def outcome_of(place: Place, text: RunText) -> dict[str, Any] | str:
    """All that a placement says, or the message of what was refused."""
    try:
        return facts_of(place(text, QRELS))
    except ToprungError as error:
        return str(error)


def facts_of(found: Placement) -> dict[str, Any]:
    return {
        "rank": found.rank.tolist(),
        "tie_first": found.tie_first.tolist(),
        "tie_last": found.tie_last.tolist(),
        "retrieved": found.retrieved.tolist(),
        "rows": found.n_rows,
        "unknown": found.n_unknown_queries,
        "contradicting": found.n_contradicting_queries,
        "rank_32_bit": None if found.rank_32_bit is None else found.rank_32_bit.tolist(),
    }


def place_with_polars(piece: int) -> Place:
    """The Polars reader, cutting its file about every ``piece`` bytes."""

    def place(text: RunText, qrels: Qrels) -> Placement:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(table_reader, "PIECE", piece)
            return table_reader.place_text(text, qrels)

    return place


ODD_NUMBERS = [
    *("+1", "2.", ".5", "-.25", "+.5e-3", "007", "1e5", "1E+5", "1e-5", "-0", "-0.0", "0e99", "0.0000"),
    *("1e-300", "4.9e-324", "2.4e-324", "1e-400", "1.7976931348623157e308", "3e22", "1.5e23", "123456789012345678e-40"),
    *("9007199254740993", "9007199254740992", "9007199254740993.0", "18446744073709551616", "0.30000000000000004"),
    *("12345678901234567890123", "-12.345678901234567890123", "0.40715911984443665", "0.50000000000000000000001"),
    *("0.1", "0.10", "1e-1", "0.100000001", "16777217", "16777216"),
]
FAULTY_NUMBERS = ["nan", "-inf", "Infinity", "1e999", "x", "1_0", "1e", ".", "-", "0x1p3", "1,5", "é"]
ODD_RANKS = ["0", "-3", "+2", "007", "999999999999999999"]
FAULTY_RANKS = [
    *("x", "1.0", "", "-", "1e3", "0", "-1", "2147483647", "2147483648"),
    *("1234567890123456789", "0000000000000000001", "-0000000000000000001"),
]
ODD_BYTES = [b"\x00", b"\x0b", b"\x0c", b"\r", b"\x1c", b"\x7f", b"\xff", b"\xc3", b"\xed\xa0\x80", b'"', b"#", b","]
ODD_TEXTS = ["é", "\u2028", "\u00a0", "\U0001f600", "\x85"]

digits = st.text("0123456789", min_size=1, max_size=22)
exponents = st.one_of(st.just(""), st.integers(-30, 30).map(lambda power: f"e{power}"))
decimals = st.builds(
    lambda sign, whole, fraction, exponent: f"{sign}{whole}.{fraction}{exponent}",
    st.sampled_from(["", "-", "+"]),
    digits,
    digits,
    exponents,
)
short_digits = st.text("0123456789", min_size=1, max_size=9)
usual = st.builds("{}{}.{}".format, st.sampled_from(["", "-", "+"]), short_digits, short_digits)
scores = st.one_of(
    usual,
    st.sampled_from(["0.5", "0.25"]),
    st.sampled_from(["0.5", "0.25", "1", "2.5"]),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr),
    st.sampled_from(ODD_NUMBERS),
    decimals,
)
documents = st.one_of(st.integers(0, 8).map("d{}".format), st.sampled_from(["d", "d10", "D1", "é", "d1é", "ｄ", "😀"]))
queries = st.integers(0, 4).map("q{}".format)
separators = st.sampled_from([" "] * 6 + ["\t"] * 3 + ["  ", " \t", "\t\t"])
one_in_forty = st.integers(0, 39).map(lambda number: number == 0)


@st.composite
def a_line(draw: st.DrawFn, layout: Layout, separator: str, *, is_faulty: bool) -> bytes:
    if layout is Layout.TREC:
        rank = draw(st.one_of(st.integers(1, 9).map(str), st.sampled_from(ODD_RANKS)))
        columns = [draw(queries), "Q0", draw(documents), rank, draw(scores), "tag"]
    else:
        columns = [draw(queries), draw(documents), draw(st.integers(1, 2**31 - 1).map(str))]
    if not is_faulty:
        return separator.join(columns).encode()
    return draw(spoilt(columns, separator, layout))


@st.composite
def spoilt(draw: st.DrawFn, columns: list[str], separator: str, layout: Layout) -> bytes:
    """A line with one thing that may be wrong with it."""
    which = draw(st.integers(0, len(columns) - 1))
    fault = draw(st.sampled_from(["short", "long", "blank", "byte", "text", "rank", "score", "padded", "returns"]))
    line = separator.join(columns).encode()
    match fault:
        case "short":
            line = separator.join(columns[:which]).encode()
        case "long":
            line += separator.encode() + b"more"
        case "blank":
            line = draw(st.sampled_from([b"", b" ", b"\t \t"]))
        case "byte":
            at = draw(st.integers(0, len(line)))
            line = line[:at] + draw(st.sampled_from(ODD_BYTES)) + line[at:]
        case "text":
            columns[which] += draw(st.sampled_from(ODD_TEXTS))
            line = separator.join(columns).encode()
        case "rank":
            columns[3 if layout is Layout.TREC else 2] = draw(st.sampled_from(FAULTY_RANKS))
            line = separator.join(columns).encode()
        case "score":
            columns[-2] = draw(st.sampled_from(FAULTY_NUMBERS))
            line = separator.join(columns).encode()
        case "padded":
            line = b" " + line + b"\t "
        case "returns":
            line += b"\r"
    return line


@st.composite
def a_text(draw: st.DrawFn) -> RunText:
    """A run file: mostly tidy, sometimes mixed up, sometimes with a fault or several."""
    layout = draw(st.sampled_from(Layout))
    common = draw(separators)
    mixed = draw(one_in_forty)
    lines = [
        draw(a_line(layout, draw(separators) if mixed else common, is_faulty=draw(one_in_forty)))
        for _ in range(draw(st.integers(0, 20)))
    ]
    if draw(st.booleans()):
        lines.sort(key=lambda line: line.split()[:1])
    if draw(st.booleans()):
        lines = list(without_repeats(lines, layout))
    end = draw(st.sampled_from([b"\n", b"\n", b"\r\n"]))
    content = end.join(lines) + (end if draw(st.booleans()) else b"")
    return RunText(content=content, layout=layout, name="run", source="my.run", float32_ties=draw(st.booleans()))


def without_repeats(lines: list[bytes], layout: Layout) -> Iterator[bytes]:
    """Without lines that say a document of a query again: most files then have no fault at all."""
    seen: set[tuple[bytes, ...]] = set()
    for line in lines:
        columns = line.split()
        key = tuple(columns[:3:2] if layout is Layout.TREC else columns[:2])
        if key not in seen:
            yield line
        seen.add(key)


@settings(max_examples=400)
@given(text=a_text(), piece=st.sampled_from([1, 60, WHOLE_FILE]))
def test_the_three_readers_agree_on_any_file(scanner: Place, line_reader: Place, text: RunText, piece: int) -> None:
    by_scanner = outcome_of(scanner, text)
    assert by_scanner == outcome_of(place_with_polars(piece), text)
    assert by_scanner == outcome_of(line_reader, text)


@pytest.mark.parametrize(
    "line",
    [
        b"q0 Q0 d1 0000000000000000002 0.5 t",
        b"q0 Q0 d1 -00000000000000000000000000000002 0.5 t",
        b"q0 Q0 d1 2 0000000000000000000000000000000.5 t",
        b"q0 Q0 d1 2 0.5 t\r\r",
        b"q0 Q0 d1 2 0.5 t\r ",
        b"q0 Q0 d1 2 0." + b"0" * 70_000 + b"1e70001 t",
        b"q0 Q0 d1 2 1" + b"0" * 400 + b"e-400 t",
        b"q0 Q0 " + b"d" * 100_000 + b" 2 0.5 t",
    ],
    ids=lambda line: repr(line[:40]),
)
def test_an_odd_line_is_read_or_refused_alike(scanner: Place, line_reader: Place, line: bytes) -> None:
    content = b"q0 Q0 d0 1 0.75 t\n" + line + b"\nq0 Q0 d2 3 0.6 t\n"
    text = RunText(content=content, layout=Layout.TREC, name="run", source="my.run")
    reference = outcome_of(line_reader, text)
    assert outcome_of(scanner, text) == reference
    assert outcome_of(place_with_polars(WHOLE_FILE), text) == reference


def spoilt_anywhere(line: bytes) -> Iterator[bytes]:
    """With each odd byte before or instead of each of its own, and without what each column holds."""
    for at in range(len(line)):
        for byte in (*ODD_BYTES, b" ", b"\t", b"\n", b"\r\n", b"7", "é".encode()):
            yield line[:at] + byte + line[at:]
            yield line[:at] + byte + line[at + 1 :]
    columns = line.split(b" ")
    for column in range(len(columns)):
        yield b" ".join([*columns[:column], b"", *columns[column + 1 :]])


def test_a_line_among_usual_ones_is_read_or_refused_alike(scanner: Place, line_reader: Place) -> None:
    """Of usual lines, which stand before and behind, 64 bytes are looked at together."""
    usual = [b"q0 Q0 d%d %d 0.%d tag\n" % (i, i, 9 - i) for i in range(8)]
    for line in spoilt_anywhere(usual[3]):
        content = b"".join([*usual[:3], line, *usual[4:]])
        text = RunText(content=content, layout=Layout.TREC, name="run", source="my.run")
        assert outcome_of(scanner, text) == outcome_of(line_reader, text), content


@pytest.mark.parametrize("last", [b" ", b"\t", b"  ", b" \r"])
def test_a_last_line_of_blanks_is_refused_alike(scanner: Place, line_reader: Place, last: bytes) -> None:
    text = RunText(content=b"q0 Q0 d0 1 0.75 t\n" + last, layout=Layout.TREC, name="run", source="my.run")
    reference = outcome_of(line_reader, text)
    assert str(reference).startswith("my.run, line 2: found ")
    assert outcome_of(scanner, text) == outcome_of(place_with_polars(WHOLE_FILE), text) == reference


def test_leading_zeros_of_a_rank_are_read_or_refused_alike(scanner: Place, line_reader: Place) -> None:
    text = RunText(content=b"q0\td1\t0000000000000000002\n", layout=Layout.MSMARCO, name="run", source="my.run")
    reference = outcome_of(line_reader, text)
    assert outcome_of(scanner, text) == reference
    assert outcome_of(place_with_polars(WHOLE_FILE), text) == reference


def two_documents(first: str, second: str) -> RunText:
    content = f"q Q0 d1 1 {first} t\nq Q0 d2 2 {second} t\n".encode()
    return RunText(content=content, layout=Layout.TREC, name="run", source="my.run")


def order_of(place: Place, first: str, second: str) -> str:
    """Which of two scores the reader takes for the higher one: '<', '=' or '>'."""
    found = place(two_documents(first, second), PAIR)
    if found.tie_first.tolist() == [1, 1]:
        assert found.tie_last.tolist() == [2, 2]
        return "="
    return ">" if found.rank.tolist() == [1, 2] else "<"


@settings(max_examples=500)
@given(text=st.one_of(decimals, scores))
@example("9007199254740993")
@example("-0.00000001")
@example("99999999.99999999")
@example("90071992.54740993")
@example("123456789.5")
@example("0.123456789")
@example("0.30000000000000004")
@example("12345678.12345678901")
@example("-0.000000000000000001")
@example("0.1000000000000000055511151231257827")
@example("9999999999999999999e-27")
@example("5e-324")
def test_the_scanner_reads_a_score_exactly_as_python_does(scanner: Place, text: str) -> None:
    value = float(text)
    assert order_of(scanner, text, repr(value)) == "="
    above, below = math.nextafter(value, math.inf), math.nextafter(value, -math.inf)
    if math.isfinite(above):
        assert order_of(scanner, text, repr(above)) == "<"
    if math.isfinite(below):
        assert order_of(scanner, text, repr(below)) == ">"


def beside_a_half(rng: random.Random) -> Iterator[str]:
    """Decimals of up to 19 digits just below, at or just above the middle between a number and the next one."""
    number = rng.random() * 10.0 ** rng.randint(-8, 8)
    middle = (Decimal(number) + Decimal(math.nextafter(number, math.inf))) / 2
    places = min(27, rng.randint(17, 19) - 1 - middle.adjusted())
    digits = int(middle.scaleb(places))
    yield from (f"{Decimal(each).scaleb(-places):f}" for each in range(digits - 1, digits + 3))


ODD = range(1, 200, 2)


def test_scores_next_to_where_rounding_turns_are_read_as_python_reads_them(scanner: Place) -> None:
    rng = random.Random(1)
    with localcontext(prec=100):
        texts = [text for _ in range(5_000) for text in beside_a_half(rng)]
        exactly = [Decimal(2 ** (52 - bits)) + Decimal(odd) / 2 ** (bits + 1) for bits in range(4) for odd in ODD]
        texts += [f"{each:f}" for each in exactly]
    content = "".join(f"q Q0 d{i} 1 {text} t\n" for i, text in enumerate(texts)).encode()
    text = RunText(content=content, layout=Layout.TREC, name="run", source="my.run")
    found = compiled.read_rows(text, depth=len(texts)).scores.tolist()
    assert found == sorted(map(float, texts), reverse=True)


@settings(max_examples=100)
@given(text=st.one_of(decimals, scores))
def test_the_polars_reader_reads_a_score_exactly_as_python_does(text: str) -> None:
    place = place_with_polars(WHOLE_FILE)
    value = float(text)
    assert order_of(place, text, repr(value)) == "="
    above = math.nextafter(value, math.inf)
    if math.isfinite(above):
        assert order_of(place, text, repr(above)) == "<"


few_scores = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 0.500000001, 1.0, 1.00000001, 1.00000002])  # more tie in 32 bits
runs = st.dictionaries(
    st.sampled_from(["q0", "q1", "q2", "unknown"]),
    st.dictionaries(documents, st.one_of(few_scores, st.floats(-10, 10)), min_size=1, max_size=12),
    min_size=1,
)


def brute_force_ranks(run: dict[str, dict[str, float]]) -> list[int]:
    """The rank of each labelled document, by sorting in plain Python."""
    ranked = {
        query_id: sorted(docs, key=lambda doc_id: (docs[doc_id], doc_id.encode()), reverse=True)
        for query_id, docs in run.items()
    }
    return [
        ranked.get(query_id, []).index(doc_id) + 1 if doc_id in ranked.get(query_id, []) else 0
        for query_id, labels in QRELS.to_dict().items()
        for doc_id in labels
    ]


def brute_force_ties(run: dict[str, dict[str, float]]) -> list[tuple[int, int]]:
    """The first and last rank each labelled document could have: who is above, who is above or equal."""
    return [
        (sum(score > docs[doc_id] for score in docs.values()) + 1, sum(s >= docs[doc_id] for s in docs.values()))
        if doc_id in (docs := run.get(query_id, {}))
        else (0, 0)
        for query_id, labels in QRELS.to_dict().items()
        for doc_id in labels
    ]


@settings(max_examples=150)
@given(run=runs, shuffle=st.randoms(use_true_random=False))
def test_ranks_and_ties_equal_a_plain_sort_in_python(
    scanner: Place, run: dict[str, dict[str, float]], shuffle: random.Random
) -> None:
    lines = [f"{query} Q0 {doc} 1 {score!r} t\n" for query, docs in run.items() for doc, score in docs.items()]
    shuffle.shuffle(lines)
    text = RunText(content="".join(lines).encode(), layout=Layout.TREC, name="run", source="my.run")
    for place in (scanner, place_with_polars(WHOLE_FILE)):
        found = place(text, QRELS)
        assert found.rank.tolist() == brute_force_ranks(run)
        assert list(zip(found.tie_first.tolist(), found.tie_last.tolist(), strict=True)) == brute_force_ties(run)
        assert found.retrieved.tolist() == [len(run.get(query_id, {})) for query_id in QRELS.query_ids]
        assert found.n_unknown_queries == ("unknown" in run)
        assert_32_bit_ranks(found, run)


def assert_32_bit_ranks(found: Placement, run: dict[str, dict[str, float]]) -> None:
    rounded = {query: {doc: float(np.float32(score)) for doc, score in docs.items()} for query, docs in run.items()}
    expected, here = brute_force_ranks(rounded), found.rank.tolist()
    assert (found.rank_32_bit is None) == (expected == here)
    assert expected == (here if found.rank_32_bit is None else found.rank_32_bit.tolist())


def test_a_query_of_many_documents_outgrows_the_first_tables(scanner: Place) -> None:
    n = 5000
    lines = "".join(f"q0 Q0 x{i} {i + 1} {-i} t\n" for i in range(n)) + f"q0 Q0 d5 {n + 1} {-n} t\n"
    text = RunText(content=lines.encode(), layout=Layout.TREC, name="run", source="my.run")
    found = scanner(text, QRELS)
    assert found.rank.tolist()[:6] == [0, 0, 0, 0, 0, n + 1]
    assert found.retrieved.tolist() == [n + 1, 0, 0]
    assert found.n_contradicting_queries == 0


def test_many_interleaved_queries_are_put_together_again(place: Place) -> None:
    lines = [f"q{i % 7}\td{i // 7}\t{i + 1}\n" for i in range(700)]
    text = RunText(content="".join(lines).encode(), layout=Layout.MSMARCO, name="run", source="my.run")
    found = place(text, QRELS)
    assert found.rank.tolist()[:3] == [1, 8, 15], "d0, d1, d2 of q0 stand on lines 1, 8 and 15"
    assert found.retrieved.tolist() == [100, 100, 100]
    assert found.n_unknown_queries == 4


def test_what_a_line_shares_with_the_one_before_is_still_checked(place: Place) -> None:
    content = (
        b"q0 Q0 d1 1 0.9 tag\nq0 Q0 d2 2 0.8 tagged\nq0 Q0 d3 3 0.7 tag\nq0 Q0x d4 4 0.6 tag\nq00 Q0 d5 5 0.5 tag\n"
    )
    text = RunText(content=content, layout=Layout.TREC, name="run", source="my.run")
    found = place(text, QRELS)
    assert found.rank.tolist()[:6] == [0, 1, 2, 3, 4, 0]
    assert found.n_unknown_queries == 1, "q00 begins like q0 but is another query"


def test_the_scanner_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_scan", object())
    monkeypatch.delenv("TOPRUNG_SCANNER", raising=False)
    assert compiled.has_scanner()
    monkeypatch.setenv("TOPRUNG_SCANNER", "OFF")
    assert not compiled.has_scanner()


def test_a_scanner_that_was_not_built_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_scan", None)
    monkeypatch.delenv("TOPRUNG_SCANNER", raising=False)
    assert not compiled.has_scanner()


@pytest.mark.parametrize("how", ["off", "absent"])
def test_a_file_is_placed_the_same_without_the_scanner(
    scanner: Place, write: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    path = write("a.run", "q0 Q0 d1 1 0.5 t\nq0 Q0 d2 2 0.5 t\nq0 Q0 d0 3 0.75 t\nq9 Q0 d1 1 1 t\n")
    monkeypatch.delenv("TOPRUNG_SCANNER", raising=False)

    def never(text: RunText, qrels: Qrels) -> Placement:
        raise AssertionError("the other reader was asked")

    with monkeypatch.context() as patch:
        patch.setattr(table_reader, "place_text", never)
        with_scanner = facts_of(place_file(path, QRELS))
    monkeypatch.setattr(compiled, "place_text", never)
    if how == "off":
        monkeypatch.setenv("TOPRUNG_SCANNER", "off")
    else:
        monkeypatch.setattr(compiled, "_scan", None)
    assert facts_of(place_file(path, QRELS)) == with_scanner
    assert with_scanner["rank"][:3] == [1, 3, 2]


def real_runs(folder: Path) -> list[tuple[Path, Path]]:
    """Every real run with the labels that belong to it."""
    passage, covid, small, dl19 = (
        folder / name for name in ("msmarco-passage-dev215", "trec-covid-r1", "msmarco-passage-ans_small", "text-dl19")
    )
    return [
        *((run, passage / "qrels.dev215.txt") for run in sorted(passage.glob("*.run.gz"))),
        *((run, covid / "qrels.covid-round1.txt") for run in sorted(covid.glob("*.gz"))),
        *((run, small / "qrels.dev.small.tsv") for run in sorted(small.glob("run.*.gz"))),
        *((run, dl19 / "qrels.dl19-passage.txt") for run in sorted(dl19.glob("input.*.txt"))),
    ]


@pytest.mark.parametrize("float32_ties", [False, True])
def test_all_real_runs_are_placed_alike_by_both_readers(
    scanner: Place, shared_data: Path, monkeypatch: pytest.MonkeyPatch, float32_ties: bool
) -> None:
    pairs = real_runs(shared_data)
    assert len(pairs) == 27
    for run, labels in pairs:
        qrels = read_qrels(labels)
        monkeypatch.setenv("TOPRUNG_SCANNER", "on")
        by_scanner = facts_of(place_file(run, qrels, float32_ties=float32_ties))
        monkeypatch.setenv("TOPRUNG_SCANNER", "off")
        by_polars = facts_of(place_file(run, qrels, float32_ties=float32_ties))
        assert by_scanner == by_polars, run.name
        assert any(by_scanner["rank"]), f"{run.name} ranks no labelled document"
