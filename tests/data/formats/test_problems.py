"""Every fault of a run's text gives one message, the same from all three readers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from toprung.data.formats.problems import Kind, Problem, ProblemLog
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.text import RunText
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.errors import FormatError

Place = Callable[[RunText, Qrels], Placement]

QRELS = Qrels.from_dict({"q1": {"d1": 1}})
GOOD = {Layout.TREC: b"q1 Q0 good 1 0.9 tag\n", Layout.MSMARCO: b"q1\tgood\t900\n"}
SIX = "expected 6 columns: query_id Q0 doc_id rank score tag."
THREE = "expected 3 columns: query_id doc_id rank."
NO_BLANKS = "Ids and tags must not contain blanks."
NUMBER = "expected a number such as 12.5 or -3e-4."
FINITE = (
    "expected a finite number. NaN and infinity have no place in a ranking: give the document a score or leave it out."
)
EIGHTEEN = "expected a whole number of at most 18 digits."
FROM_ONE = "expected a whole number from 1 to 2147483647. This format is ordered by its rank column."
PRINTABLE = "expected printable text with columns parted by blanks or tabs. Is this a text file? Remove the character."
UTF8 = "expected text in UTF-8. Save the file as UTF-8."

TREC_FAULTS = {
    b"q1 Q0 d1 2 0.5": f"found 5 columns, 'q1 Q0 d1 2 0.5'; {SIX} {NO_BLANKS}",
    b"q1 Q0 d1 2 0.5 my tag": f"found 7 columns, 'q1 Q0 d1 2 0.5 my tag'; {SIX} {NO_BLANKS}",
    b"  q1\t": f"found 1 column, 'q1'; {SIX} {NO_BLANKS}",
    b"q1,Q0,d1,2,0.5,tag": f"found 1 column, 'q1,Q0,d1,2,0.5,tag'; {SIX} {NO_BLANKS}",
    b"": f"found a blank line; {SIX} Remove the line.",
    b" \t ": f"found a blank line; {SIX} Remove the line.",
    b"q1 Q0 d1 2 high tag": f"found score 'high'; {NUMBER}",
    b"q1 Q0 d1 2 0,5 tag": f"found score '0,5'; {NUMBER}",
    b"q1 Q0 d1 2 1_0 tag": f"found score '1_0'; {NUMBER}",
    b"q1 Q0 d1 2 0x10 tag": f"found score '0x10'; {NUMBER}",
    b"q1 Q0 d1 2 1e tag": f"found score '1e'; {NUMBER}",
    b"q1 Q0 d1 2 1e+ tag": f"found score '1e+'; {NUMBER}",
    b"q1 Q0 d1 2 . tag": f"found score '.'; {NUMBER}",
    b"q1 Q0 d1 2 - tag": f"found score '-'; {NUMBER}",
    b"q1 Q0 d1 2 --1 tag": f"found score '--1'; {NUMBER}",
    b"q1 Q0 d1 2 .e5 tag": f"found score '.e5'; {NUMBER}",
    b"q1 Q0 d1 2 nano tag": f"found score 'nano'; {NUMBER}",
    "q1 Q0 d1 2 ١ tag".encode(): f"found score '١'; {NUMBER}",
    b"q1 Q0 d1 2 NaN tag": f"found score 'NaN'; {FINITE}",
    b"q1 Q0 d1 2 -nan tag": f"found score '-nan'; {FINITE}",
    b"q1 Q0 d1 2 inf tag": f"found score 'inf'; {FINITE}",
    b"q1 Q0 d1 2 -Infinity tag": f"found score '-Infinity'; {FINITE}",
    b"q1 Q0 d1 2 1e999 tag": f"found score '1e999'; {FINITE}",
    b"q1 Q0 d1 2 -1e309 tag": f"found score '-1e309'; {FINITE}",
    b"q1 Q0 d1 first 0.5 tag": f"found rank 'first'; {EIGHTEEN}",
    b"q1 Q0 d1 2.0 0.5 tag": f"found rank '2.0'; {EIGHTEEN}",
    b"q1 Q0 d1 - 0.5 tag": f"found rank '-'; {EIGHTEEN}",
    b"q1 Q0 d1 1234567890123456789 0.5 tag": f"found rank '1234567890123456789'; {EIGHTEEN}",
    b"q1 Q0 good 2 0.5 tag": "found document 'good' of query 'q1' again, first on line 1; "
    "expected each document at most once in a query. Keep one of the two lines.",
    b"q1 Q0 d\xff1 2 0.5 tag": f"found byte 0xff at position 8 of the line; {UTF8}",
    b"q1 Q\xe9 d1 2 0.5 tag": f"found byte 0xe9 at position 5 of the line; {UTF8}",
    b"q1 Q0 d1 2 0.5 t\xc3": f"found byte 0xc3 at position 17 of the line; {UTF8}",
    b"q1 Q0 \xed\xa0\x80 2 0.5 tag": f"found byte 0xed at position 7 of the line; {UTF8}",
    b"q1 Q0 \xc0\xaf 2 0.5 tag": f"found byte 0xc0 at position 7 of the line; {UTF8}",
    b"q1 Q0 \xf4\x90\x80\x80 2 0.5 tag": f"found byte 0xf4 at position 7 of the line; {UTF8}",
    b"q1 Q0 d\x001 2 0.5 tag": f"found control character U+0000; {PRINTABLE}",
    b"q1 Q0 d1 2 0.5 tag\x1b": f"found control character U+001B; {PRINTABLE}",
    b"q1\x0bQ0 d1 2 0.5 tag": f"found control character U+000B; {PRINTABLE}",
    b"q1 Q0 d1 2 0.5 tag\r\r": f"found control character U+000D; {PRINTABLE}",
    b"q1 Q0 d1\r2 0.5 tag": f"found control character U+000D; {PRINTABLE}",
    b"\x89PNG \x01 \x02 \x03 \x04 \x05": f"found byte 0x89 at position 1 of the line; {UTF8}",
}
MSMARCO_FAULTS = {
    b"q1\td1": f"found 2 columns, 'q1\\td1'; {THREE} {NO_BLANKS}",
    b"q1\td1\t2\t0.5": f"found 4 columns, 'q1\\td1\\t2\\t0.5'; {THREE} {NO_BLANKS}",
    b"q1 Q0 d1 2 0.5 tag": f"found 6 columns, 'q1 Q0 d1 2 0.5 tag'; {THREE} {NO_BLANKS}",
    b"": f"found a blank line; {THREE} Remove the line.",
    b"q1\td1\t0": f"found rank '0'; {FROM_ONE}",
    b"q1\td1\t-1": f"found rank '-1'; {FROM_ONE}",
    b"q1\td1\t1.5": f"found rank '1.5'; {FROM_ONE}",
    b"q1\td1\tfirst": f"found rank 'first'; {FROM_ONE}",
    b"q1\td1\t2147483648": f"found rank '2147483648'; {FROM_ONE}",
    b"q1\td1\t99999999999999999999": f"found rank '99999999999999999999'; {FROM_ONE}",
    b"q1\tgood\t2": "found document 'good' of query 'q1' again, first on line 1; "
    "expected each document at most once in a query. Keep one of the two lines.",
    b"q1\td1\t900": "found rank '900' of query 'q1' again, first on line 1; expected each rank at most once in "
    "a query. This format is ordered by its rank column: number the documents anew.",
    b"q1\td1\t+900": "found rank '900' of query 'q1' again, first on line 1; expected each rank at most once in "
    "a query. This format is ordered by its rank column: number the documents anew.",
    b"q1\td\xff\t2": f"found byte 0xff at position 5 of the line; {UTF8}",
    b"q1\td1\x00\t2": f"found control character U+0000; {PRINTABLE}",
}
FAULTS = [
    pytest.param(layout, line, message, id=f"{layout.name} {line!r}")
    for layout, faults in ((Layout.TREC, TREC_FAULTS), (Layout.MSMARCO, MSMARCO_FAULTS))
    for line, message in faults.items()
]


def message_of(place: Place, content: bytes, layout: Layout) -> str:
    with pytest.raises(FormatError) as caught:
        place(RunText(content=content, layout=layout, name="run", source="my.run"), QRELS)
    return str(caught.value)


@pytest.mark.parametrize(("layout", "line", "message"), FAULTS)
def test_a_faulty_second_line_gives_its_message(place: Place, layout: Layout, line: bytes, message: str) -> None:
    content = GOOD[layout] + line + b"\n" + GOOD[layout].replace(b"q1", b"q2")
    assert message_of(place, content, layout) == f"my.run, line 2: {message}"


@pytest.mark.parametrize(("layout", "line", "message"), FAULTS)
def test_a_fault_in_windows_lines_is_the_same(place: Place, layout: Layout, line: bytes, message: str) -> None:
    content = (GOOD[layout] + line + b"\n").replace(b"\n", b"\r\n")
    assert message_of(place, content, layout) == f"my.run, line 2: {message}"


@pytest.mark.parametrize("layout", Layout)
def test_an_empty_text_has_no_line_to_name(place: Place, layout: Layout) -> None:
    expected = "my.run: found an empty file; expected at least one line. Check that the file was written completely."
    assert message_of(place, b"", layout) == expected


def test_of_several_faults_the_first_is_told(place: Place) -> None:
    content = b"q1 Q0 d1 1 0.9 t\nq1 Q0 d2 x 0.8 t\nq1 Q0 d1 3 nan t\nshort line\n"
    assert message_of(place, content, Layout.TREC).startswith("my.run, line 2: found rank 'x';")


def test_a_line_with_two_faults_tells_its_rank_before_its_score(place: Place) -> None:
    assert "found rank 'x'" in message_of(place, b"q1 Q0 d1 x nan t\n", Layout.TREC)


def test_a_document_twice_in_mixed_up_queries_names_both_lines(place: Place) -> None:
    content = b"q1 Q0 a 1 0.9 t\nq2 Q0 a 1 0.9 t\nq2 Q0 b 2 0.8 t\nq1 Q0 b 2 0.8 t\nq2 Q0 a 3 0.7 t\nq1 Q0 a 3 0.7 t\n"
    message = message_of(place, content, Layout.TREC)
    assert message.startswith("my.run, line 5: found document 'a' of query 'q2' again, first on line 2;")


def test_mixed_up_queries_do_not_hide_an_earlier_fault_of_a_later_query(place: Place) -> None:
    content = b"q1\ta\t1\nq2\ta\t1\nq1\tb\t2\nq2\tb\t1\nq1\tc\t2\n"
    message = message_of(place, content, Layout.MSMARCO)
    assert message.startswith("my.run, line 4: found rank '1' of query 'q2' again, first on line 2;")


@pytest.mark.parametrize("layout", Layout)
def test_a_line_of_ten_megabytes_gives_a_short_message(place: Place, layout: Layout) -> None:
    message = message_of(place, GOOD[layout] + b"x" * 10_000_000 + b"\n", layout)
    shown = "x" * 80
    assert message.startswith(f"my.run, line 2: found 1 column, '{shown}…'; expected")
    assert len(message) < 300


def test_a_score_of_ten_megabytes_gives_a_short_message(place: Place) -> None:
    message = message_of(place, b"q1 Q0 d1 1 " + b"z" * 10_000_000 + b" t\n", Layout.TREC)
    shown = "z" * 80
    assert message == f"my.run, line 1: found score '{shown}…'; {NUMBER}"


def test_an_exponent_too_long_for_a_machine_number_is_still_infinite(place: Place) -> None:
    # float("0.00…01e1000000") is infinite; the point's 99,999 zeros must not be weighed against a cut exponent.
    score = b"0." + b"0" * 99_999 + b"1e1000000"
    message = message_of(place, b"q1 Q0 d1 1 " + score + b" t\n", Layout.TREC)
    assert message.endswith(FINITE)


def a_problem(kind: Kind, line: int) -> Problem:
    return Problem(kind=kind, line=line, found="this", expected="that")


def test_a_log_keeps_the_first_of_each_kind_and_counts_the_rest() -> None:
    log = ProblemLog(keep=2)
    for line in (5, 6, 7):
        log.add(a_problem(Kind.SCORE, line))
    log.add(a_problem(Kind.RANK, 9))
    assert [problem.line for problem in log.first[Kind.SCORE]] == [5, 6]
    assert log.counts == {Kind.SCORE: 3, Kind.RANK: 1}


def test_the_earliest_problem_is_the_one_on_the_lowest_line_whatever_its_kind() -> None:
    log = ProblemLog()
    for kind, line in ((Kind.SCORE, 3), (Kind.RANK, 5), (Kind.SCORE, 7)):
        log.add(a_problem(kind, line))
    assert log.earliest() == a_problem(Kind.SCORE, 3)


def test_an_empty_log_is_false() -> None:
    log = ProblemLog()
    assert not log
    log.add(a_problem(Kind.TIES, 1))
    assert log


@pytest.mark.parametrize("kind", Kind)
def test_only_what_refuses_a_file_is_an_error(kind: Kind) -> None:
    of_runs = {"RANK_CONTRADICTS", "TIES", "RANK_GAPS", "TOO_FEW", "MISSING_QUERY", "UNKNOWN_QUERY"}
    warnings = of_runs | {"NO_CHOICE", "DUPLICATE_VOTE", "UNKNOWN_COLUMN", "REJECTED"}
    assert kind.severity == ("warning" if kind.name in warnings else "error")
