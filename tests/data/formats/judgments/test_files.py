"""Judgments as other tools write them: recognised, read, refused with the line."""

from __future__ import annotations

import contextlib
import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toprung.data.formats.content import Limits
from toprung.data.formats.judgments.files import read_judgments
from toprung.data.formats.judgments.rows import JudgmentFile, JudgmentFormat
from toprung.data.formats.problems import Kind
from toprung.data.judgments import AssessorKind, Choice
from toprung.errors import FormatError, InputError, TooLargeError

WATERLOO = "t1 a b b\nt1 c a c\n"
THREE = "t1\ta\tb\nt2 c d\n"
ARABZADEH = (
    "12\twhat is a frog\tA\tqrel\t100\ta frog is\t200\tno frog\n"
    "13\twhat is a toad\tB\tOther\t101\tsome\t201\tmore\n"
    "14\tfish\tB\t202\t102\tsome\t202\tmore\n"
)
CROWD_KIT = "worker,left,right,label\nw1,a,b,b\nw2,a,b,a\n"
EVALICA = "left,right,winner\na,b,left\nb,a,tie\na,c,RIGHT\n"
ARENA = "question_id,model_a,model_b,winner,judge\n7,gpt,bard,model_b,j1\n7,gpt,bard,tie (bothbad),j2\n"
LABEL_STUDIO = """[
 {"id": 1, "data": {"query_id": "q1", "left_id": "a", "right_id": "b", "text1": "shown"},
  "annotations": [
   {"id": 11, "completed_by": 3, "lead_time": 2.5, "result": [{"type": "pairwise", "value": {"selected": "right"}}]},
   {"id": 12, "completed_by": {"id": 4}, "was_cancelled": true, "result": []}]},
 {"id": 2, "data": {"query_id": "q2", "left_id": "c", "right_id": "d"},
  "annotations": [{"id": 13, "completed_by": 3, "result": [{"value": {"selected": "left"}}]}]}
]"""
MTURK = (
    '"HITId","WorkerId","AssignmentStatus","Input.query_id_1","Input.left_id_1","Input.right_id_1","Input.left_1",'
    '"Input.query_id_2","Input.left_id_2","Input.right_id_2","Input.is_gold_2","Answer.choice_1","Answer.choice_2"\n'
    '"h1","W1","Approved","q1","a","b","a text, with a comma","q2","c","d","true","left","right"\n'
    '"h2","W2","Rejected","q1","a","b","text","q2","c","d","true","left","left"\n'
    '"h3","W3","Submitted","q3","e","f","text","q4","g","h","false","","tie"\n'
)
JSONL = (
    '{"query_id": "q1", "left": "a", "right": "b", "choice": "left", "assessor": "x"}\n'
    '{"judgment_id": "j9", "query_id": 2, "left": "c", "right": "d", "choice": "skip", "kind": "llm"}\n'
)

Row = tuple[str, str, str, str, str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def read(folder: Path, text: str, **options: str) -> JudgmentFile:
    path = folder / "judgments"
    path.write_text(text)
    return read_judgments(path, **options)


def rows_of(file: JudgmentFile) -> list[Row]:
    return [(each.query_id, each.left, each.right, each.choice, each.assessor) for each in file.judgments.rows]


@pytest.mark.parametrize(
    ("text", "expected", "rows"),
    [
        (WATERLOO, "waterloo", [("t1", "a", "b", "right", ""), ("t1", "c", "a", "left", "")]),
        (THREE, "waterloo", [("t1", "a", "b", "left", ""), ("t2", "c", "d", "left", "")]),
        (
            ARABZADEH,
            "arabzadeh",
            [("12", "100", "200", "left", ""), ("13", "101", "201", "right", ""), ("14", "102", "202", "right", "")],
        ),
        (CROWD_KIT, "crowd-kit", [("all", "a", "b", "right", "w1"), ("all", "a", "b", "left", "w2")]),
        (
            EVALICA,
            "evalica",
            [("all", "a", "b", "left", ""), ("all", "b", "a", "tie", ""), ("all", "a", "c", "right", "")],
        ),
        (ARENA, "arena", [("7", "gpt", "bard", "right", "j1"), ("7", "gpt", "bard", "tie", "j2")]),
        (LABEL_STUDIO, "label-studio", [("q1", "a", "b", "right", "3"), ("q2", "c", "d", "left", "3")]),
        (
            MTURK,
            "mturk",
            [("q1", "a", "b", "left", "W1"), ("q2", "c", "d", "right", "W1"), ("q4", "g", "h", "tie", "W3")],
        ),
        (JSONL, "jsonl", [("q1", "a", "b", "left", "x"), ("2", "c", "d", "skip", "")]),
    ],
)
def test_a_format_is_recognised_and_read(folder: Path, text: str, expected: str, rows: list[Row]) -> None:
    found = read(folder, text)
    assert found.format == expected
    assert rows_of(found) == rows
    assert rows_of(read(folder, text, format=expected)) == rows


def test_imported_judgments_are_of_that_kind_and_have_lasting_ids(folder: Path) -> None:
    once, again = read(folder, WATERLOO).judgments, read(folder, WATERLOO).judgments
    assert once.rows == again.rows
    assert {each.kind for each in once.rows} == {AssessorKind.IMPORT}


@pytest.mark.parametrize(
    "again",
    [
        WATERLOO + "t9 x y x\n",
        "t9 x y x\n" + WATERLOO,
        WATERLOO.replace("\n", "\r\n"),
        WATERLOO + WATERLOO,
    ],
)
def test_a_file_that_grew_or_got_other_line_ends_keeps_its_ids(folder: Path, again: str) -> None:
    known = {each.judgment_id for each in read(folder, WATERLOO).judgments.rows}
    path = folder / "again"
    path.write_bytes(again.encode())
    ids = [each.judgment_id for each in read_judgments(path).judgments.rows]
    assert known < set(ids) or known == set(ids)
    assert len(set(ids)) == len(ids)


def test_what_is_no_vote_of_the_same_assessor_is_not_the_same_judgment(folder: Path) -> None:
    texts = ["t,a,b,a,w", "t,a,b,b,w", "t,b,a,a,w", "u,a,b,a,w", "t,a,b,a,v", "t,a,c,a,w"]
    files = [read(folder, f"topic,left,right,label,worker\n{text}\n") for text in texts]
    files += [read_judgments(folder / "judgments", kind=AssessorKind.LLM)]
    assert len({each.judgments.rows[0].judgment_id for each in files}) == len(files)


def test_a_skip_is_no_vote_that_could_be_given_twice(folder: Path) -> None:
    found = read(folder, "worker,left,right,winner\nw,a,b,skip\nw,a,b,left\n")
    assert [each.choice for each in found.judgments.rows] == [Choice.SKIP, Choice.LEFT]


def test_who_judged_can_be_said_and_what_jsonl_says_is_kept(folder: Path) -> None:
    path = folder / "judgments"
    path.write_text(JSONL + '{"judgment_id": "j", "query_id": "q", "left": "a", "right": "b", "choice": "tie"}\n')
    kinds = [each.kind for each in read_judgments(path, kind=AssessorKind.HUMAN).judgments.rows]
    assert kinds == ["human", "llm", "human"]
    path.write_text(WATERLOO)
    assert {each.kind for each in read_judgments(path, kind=AssessorKind.LLM).judgments.rows} == {AssessorKind.LLM}


def test_keys_nobody_knows_are_told_once_and_the_others_kept(folder: Path) -> None:
    line = '{"query_id": "q", "left": "a", "right": "b", "choice": "left", "task_id": "t", "mood": 1}\n'
    found = read(folder, line + line)
    assert [(each.line, each.found) for each in found.warnings.first[Kind.UNKNOWN_COLUMN]] == [(1, "key 'mood'")]
    assert [each.task_id for each in found.judgments.rows] == ["t", "t"]


WRONG = [
    ('"is_gold": "false"', 'found is_gold "false"; expected true or false'),
    ('"ms": "fast"', 'found ms "fast"; expected a whole number'),
    ('"ms": -1', "found ms -1"),
    ('"ms": 1.5', "found ms 1.5"),
    ('"ms": NaN', "found ms NaN"),
    ('"slot": true', "found slot true"),
    ('"supersedes": ["a"]', "found supersedes a list; expected an id"),
    ('"choice": ["left"]', "found choice a list; expected one of left, right, tie, skip"),
    ('"assessor": ["x"]', "found assessor a list; expected a name"),
    ('"assessor": "\\ud800"', 'found assessor "\\ud800"'),
    ('"judgment_id": {}', "found judgment_id a dict; expected an id"),
    ('"judgment_id": ""', 'found judgment_id ""'),
    ('"query_id": "\\ud800"', 'found query_id "\\ud800"; expected an id'),
    ('"query_id": null', "found query_id null; expected an id"),
    ('"query_id": true', "found query_id true; expected an id"),
    ('"left": {"a": 1}', "found left a dict; expected an id"),
    ('"kind": {}', "found kind a dict; expected one of human, llm, import"),
]


@pytest.mark.parametrize("own_id", ["", '"judgment_id": "j1", '])
@pytest.mark.parametrize(("field", "message"), WRONG)
def test_a_value_of_the_wrong_kind_is_refused_with_its_line(
    folder: Path, own_id: str, field: str, message: str
) -> None:
    good = '{"query_id": "q", "left": "a", "right": "b", "choice": "left"}\n'
    with pytest.raises(FormatError) as caught:
        read(folder, good + good.replace("{", "{" + own_id).replace("}", f", {field}}}"))
    assert f"line 2: {message}" in str(caught.value)


@pytest.mark.parametrize("seconds", ["NaN", "1e999", "-1e999", "-1", '"long"', "1e300"])
def test_label_studio_may_say_a_time_that_is_none(folder: Path, seconds: str) -> None:
    assert [each.ms for each in read(folder, LABEL_STUDIO.replace("2.5", seconds)).judgments.rows] == [None, None]


def test_numbers_may_stand_for_names_and_ids(folder: Path) -> None:
    line = '{"judgment_id": 7, "query_id": 2, "left": 3, "right": 4, "choice": "left", "assessor": 5}\n'
    [found] = read(folder, line).judgments.rows
    assert (found.judgment_id, found.query_id, found.left, found.right, found.assessor) == ("7", "2", "3", "4", "5")


def test_a_file_that_names_nobody_is_of_the_assessor_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("q1 a b a\nq1 b a a\nq1 a b a\n")
    found = {
        kind: read_judgments(tmp_path / "a.txt", kind=kind, assessor="model-1")
        for kind in (AssessorKind.HUMAN, AssessorKind.LLM)
    }
    assert {each.assessor for file in found.values() for each in file.judgments.rows} == {"model-1"}
    counts = {kind: len(file.judgments.rows) for kind, file in found.items()}
    assert counts == {AssessorKind.HUMAN: 1, AssessorKind.LLM: 2}  # a model is asked in both orders
    other = read_judgments(tmp_path / "a.txt", kind=AssessorKind.LLM, assessor="model-2")
    ids = [each.judgment_id for file in (found[AssessorKind.LLM], other) for each in file.judgments.rows]
    assert len(set(ids)) == 4


def test_our_own_records_keep_their_ids_and_kinds(folder: Path) -> None:
    first, second = read(folder, JSONL).judgments.rows
    assert first.kind is AssessorKind.IMPORT
    assert (second.judgment_id, second.kind, second.choice) == ("j9", AssessorKind.LLM, Choice.SKIP)


def test_a_packed_file_is_read_and_a_limit_holds(folder: Path) -> None:
    path = folder / "judgments.gz"
    path.write_bytes(gzip.compress(WATERLOO.encode()))
    assert len(read_judgments(path).judgments) == 2
    with pytest.raises(TooLargeError):
        read_judgments(path, limits=Limits(max_bytes=3))


def test_a_header_of_the_tsv_is_left_out(folder: Path) -> None:
    header = "query id\tquery\tcategory\tpreference\tqrel id\tqrel text\tother id\tother text\n"
    assert rows_of(read(folder, header + ARABZADEH)) == rows_of(read(folder, ARABZADEH))


def test_an_arena_without_queries_compares_in_general(folder: Path) -> None:
    assert rows_of(read(folder, "model_a,model_b,winner\nx,y,model_a\n")) == [("all", "x", "y", "left", "")]


def test_mechanical_turk_tells_what_it_leaves_out(folder: Path) -> None:
    found = read(folder, MTURK)
    assert found.warnings.counts == {Kind.REJECTED: 1, Kind.NO_CHOICE: 1}
    assert [each.line for kept in found.warnings.first.values() for each in kept] == [3, 4]
    assert [each.is_gold for each in found.judgments.rows] == [False, True, False]
    assert [each.slot for each in found.judgments.rows] == [1, 2, 2]


def test_mechanical_turk_may_tick_a_box_for_a_side(folder: Path) -> None:
    text = (
        "WorkerId,Input.query_id,Input.left,Input.right,Answer.choice.left,Answer.choice.right\n"
        "W1,q,a,b,false,true\nW2,q,a,b,true,false\nW3,q,a,b,false,false\n"
    )
    found = read(folder, text)
    assert rows_of(found) == [("q", "a", "b", "right", "W1"), ("q", "a", "b", "left", "W2")]
    assert found.warnings.counts == {Kind.NO_CHOICE: 1}


def test_label_studio_tells_what_it_leaves_out_and_how_long_it_took(folder: Path) -> None:
    found = read(folder, LABEL_STUDIO)
    assert found.warnings.counts == {Kind.NO_CHOICE: 1}
    assert [each.ms for each in found.judgments.rows] == [2500, None]


def test_the_same_vote_of_one_assessor_counts_once_and_is_told(folder: Path) -> None:
    found = read(folder, "worker,left,right,label\nw1,a,b,b\nw2,a,b,a\nw1,b,a,a\n")
    assert rows_of(found) == [("all", "a", "b", "right", "w1"), ("all", "a", "b", "left", "w2")]
    [problem] = found.warnings.first[Kind.DUPLICATE_VOTE]
    assert (problem.line, problem.found) == (4, "the same pair judged again by 'w1', first on line 2")


def test_repeats_without_an_assessor_all_count(folder: Path) -> None:
    assert len(read(folder, "t a b a\nt b a a\nt a b b\n").judgments) == 3


def test_columns_nobody_knows_are_told(folder: Path) -> None:
    found = read(folder, "left,right,winner,mood\na,b,left,good\n")
    [problem] = found.warnings.first[Kind.UNKNOWN_COLUMN]
    assert (problem.line, problem.found) == (1, "column 'mood'")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t a b a\nt a b c\n", "line 2: found winner 'c'; expected 'a' or 'b', or the side that won."),
        ("t a b a\nt a a a\n", "line 2: found 'a' on both sides of a pair of query 't'; expected two answers."),
        ("t a b a\nt a b\n", "line 2: found 3 columns, 't a b'; expected 4 columns: topic a b winner."),
        ("t a b\nt a b a\n", "line 2: found 4 columns, 't a b a'; expected 3 columns: topic a b."),
        ("t a b a\n\nt a b a\n", "line 2: found a blank line; expected 4 columns: topic a b winner."),
        ("left,right,winner\na,b,maybe\n", "line 2: found winner 'maybe'; expected 'a' or 'b'"),
        (
            "left,right,winner\na,,left\n",
            "line 2: found no right answer; expected an id for the query and both answers",
        ),
        ("left,right,winner\na,b\n", "line 2: found 2 columns; expected 3 as in the header."),
        ("worker,left,right,label\nw,a,b,left\n", "line 2: found winner 'left'; expected 'a' or 'b'"),
        ("model_a,model_b,winner\na,b,left\n", "line 2: found winner 'left'"),
        (ARABZADEH + "15\tq\tA\tqrel\t1\n", "line 4: found 5 columns"),
        (ARABZADEH.replace("Other", "unsure"), "line 2: found winner 'unsure'; expected '101' or '201'"),
        ("WorkerId,Input.left,Answer.choice\nW,a,left\n", "line 1: found no numbered pair with its answer"),
        (MTURK.replace('"left","right"', '"up","right"'), "line 2: found winner 'up'"),
        ("[1, 2]", "found task 1 without two answers in its data"),
        ('[{"data": {"left_id": "a"}}]', "found task 1 without two answers in its data"),
        ("[{", "found text that is not a JSON list; expected Label Studio's JSON export"),
        ('[{"data": {"left": "a", "right": "b"}, "annotations": [3]}]', "found task 1 with an annotation"),
        (LABEL_STUDIO.replace('[{"value": {"selected": "left"}}]', "5"), "found task 2 with an annotation that holds"),
        (
            LABEL_STUDIO.replace("selected", "other"),
            "found no judgment that counts (3 left out); expected at least one",
        ),
        ('{"query_id": "q"}\n', 'line 1: found \'{"query_id": "q"}\'; expected a JSON object with query_id, left'),
        (JSONL + "{\n", "line 3: found '{'; expected a JSON object"),
        (JSONL.replace("skip", "up"), "line 2: found "),
        (JSONL.replace('"left", "assessor"', '"up", "assessor"'), 'line 1: found choice "up"; expected one of left'),
        (JSONL + JSONL.splitlines()[1] + "\n", "line 3: found judgment 'j9' again, first on line 2"),
        ("just some words that are no judgments\n", "line 1: found 'just some words that are no judgments'; expected"),
        ("", "found an empty file"),
        ("\n\n  \n", "found an empty file"),
        ("left,right,winner\n", "found no judgment that counts; expected at least one"),
        ("[]", "found no tasks"),
        ('[{"data": {"left": {"a": 1}, "right": "b"}, "annotations": []}]', "found task 1 without two answers"),
        (LABEL_STUDIO.replace('"q1"', '"\\ud800"'), "found half a character in '\\ud800'"),
        (
            "WorkerId,Input.query_id,Input.left,Input.right,Answer.choice.left,Answer.choice.right\nW,q,a,b,true,true\n",
            "line 2: found winner 'left and right'; expected 'a' or 'b'",
        ),
    ],
)
def test_a_fault_is_refused_with_its_line(folder: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(folder, text)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", [b"t a b \xff\n", b"left,right,winner\na,\xff,left\n", b'{"a": "\xff"}\n', b"[\xff]"])
def test_bytes_that_are_no_text_are_refused(folder: Path, text: bytes) -> None:
    path = folder / "judgments"
    path.write_bytes(text)
    with pytest.raises(FormatError):
        read_judgments(path)


PIECES = st.sampled_from(
    [
        "left",
        "right",
        "winner",
        "label",
        "worker",
        "a",
        "b",
        ",",
        "\t",
        " ",
        "\n",
        "{",
        "}",
        "[",
        "]",
        '"',
        ":",
        "Input.",
    ]
)


@given(st.lists(PIECES, max_size=40), st.sampled_from([None, *JudgmentFormat]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_file_holds_it_is_read_or_refused(
    folder: Path, pieces: list[str], named: JudgmentFormat | None
) -> None:
    path = folder / "judgments"
    path.write_text("".join(pieces))
    with contextlib.suppress(InputError):
        assert read_judgments(path, format=named).judgments.rows


def test_an_unknown_format_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="Found format 'excel'; expected one of jsonl, waterloo"):
        read(folder, WATERLOO, format="excel")


def test_every_format_has_been_tried() -> None:
    tried = {"waterloo", "arabzadeh", "crowd-kit", "evalica", "arena", "label-studio", "mturk", "jsonl"}
    assert tried == set(JudgmentFormat)


def test_the_cast_judgments_parse(shared_data: Path) -> None:
    found = read_judgments(shared_data / "prefs" / "TREC-CAsT-2019.local.pref")
    assert found.format is JudgmentFormat.WATERLOO
    assert len(found.judgments) == 3_743
    assert not found.warnings


def test_the_files_of_evalica_parse(shared_data: Path) -> None:
    for name, n, ties in (("food", 30, 2), ("simple", 16, 9), ("llmfao", 8_931, 3_471)):
        found = read_judgments(shared_data / "prefs" / f"{name}.csv")
        assert found.format is JudgmentFormat.EVALICA
        assert len(found.judgments) == n
        assert sum(each.choice is Choice.TIE for each in found.judgments.rows) == ties
