"""All that is wrong with a run file, and all that is worth a second look."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from toprung.data.formats.content import Limits
from toprung.data.formats.problems import Kind
from toprung.data.formats.runs.recognise import RunFormat
from toprung.data.formats.runs.validate import Validation, read_query_ids, validate_run
from toprung.errors import FormatError, TooLargeError

Write = Callable[[str, str | bytes], Path]

CLEAN = "q1 Q0 a 1 0.9 t\nq1 Q0 b 2 0.8 t\nq2 Q0 a 1 0.9 t\n"
FAULTY = """\
q1 Q0 a 1 0.9
q1 Q0 b 2 0.8 t
q1 Q0 c x 0.7 t
q1 Q0 d 4 high t
q1 Q0 e 5 nan t
q1 Q0 b 6 0.5 t

q1 Q0 f\x00 7 0.4 t
q2 Q0 g 1 0.3 t
"""


def findings(validation: Validation) -> list[tuple[str, int | None]]:
    return [(row["kind"], row["line"]) for row in validation.to_frame().to_dicts()]


def test_a_clean_run_is_valid_and_needs_no_remark(write: Write) -> None:
    path = write("a.run", CLEAN)
    validation = validate_run(path, query_ids=["q1", "q2"], depth=1)
    assert validation.is_valid
    assert (validation.format, validation.n_rows, validation.n_queries) == (RunFormat.TREC, 3, 2)
    assert str(validation) == f"{path} is a valid trec run with 3 rows for 2 queries; nothing to remark."
    assert validation.to_frame().is_empty()


@pytest.mark.parametrize("named", [None, "trec"])
def test_every_fault_of_a_file_is_found_and_the_first_hides_none(write: Write, named: str | None) -> None:
    validation = validate_run(write("a.run", FAULTY.encode()), format=named)
    assert not validation.is_valid
    assert findings(validation) == [
        ("wrong number of columns", 1),
        ("wrong number of columns", 7),
        ("rank is not a whole number", 3),
        ("score is not a number", 4),
        ("score is not finite", 5),
        ("document twice in a query", 6),
        ("control character", 8),
    ]
    assert (validation.n_rows, validation.n_queries) == (2, 2), "the good lines"


def test_every_fault_of_an_msmarco_file_is_found(write: Write) -> None:
    path = write("a.tsv", b"q1\ta\n" + b"q1\ta\t1\nq1\tb\t1\nq1\tc\t0\nq1\ta\t2\nq1\t\xff\t3\nq1\te\t2\n")
    validation = validate_run(path)
    assert validation.format is RunFormat.MSMARCO
    assert findings(validation) == [
        ("wrong number of columns", 1),
        ("rank twice in a query", 3),
        ("rank is not a whole number", 4),
        ("document twice in a query", 5),
        ("not UTF-8", 6),
    ]


def test_the_text_shows_each_kind_with_its_lines_and_one_advice(write: Write) -> None:
    path = write("a.run", "q1 Q0 a 1 0.9 t\nq1 Q0 b x 0.8 t\nq1 Q0 c y 0.7 t\nq1 Q0 d 1 nan t\nq1 Q0 e 5 0.9 t\n")
    assert str(validate_run(path)) == "\n".join(
        [
            f"{path} cannot be used: 3 errors, 1 warning.",
            "",
            "error: rank is not a whole number (2)",
            "  line 2: found rank 'x'; expected a whole number of at most 18 digits.",
            "  line 3: found rank 'y'; expected a whole number of at most 18 digits.",
            "",
            "error: score is not finite (1)",
            "  line 4: found score 'nan'; expected a finite number.",
            "  NaN and infinity have no place in a ranking: give the document a score or leave it out.",
            "",
            "warning: equal scores (1)",
            "  line 1: found query 'q1' with 2 documents that share their score with another; "
            "expected a score of its own for each.",
            "  Ties are broken by doc_id, descending, whatever order the file has.",
        ]
    )


def test_the_first_twenty_of_a_kind_are_shown_and_the_rest_counted(write: Write) -> None:
    lines = [f"q1 Q0 d{i} 1 bad t" for i in range(25)] + [f"q1 Q0 e{i} x 1 t" for i in range(20)]
    validation = validate_run(write("a.run", "\n".join(lines)))
    assert validation.findings.counts == {Kind.SCORE: 25, Kind.RANK: 20}
    shown = str(validation).splitlines()
    assert "error: score is not a number (25)" in shown
    assert "  … and 5 more" in shown
    assert [line for kind, line in findings(validation) if kind == "score is not a number"] == list(range(1, 21))
    assert len(findings(validation)) == 40, "twenty of either kind"
    assert "more" not in str(validation).split("rank is not a whole number (20)")[1]


def test_an_empty_file_is_not_valid(write: Write) -> None:
    validation = validate_run(write("a.run", ""))
    assert not validation.is_valid
    assert findings(validation) == [("empty file", None)]
    assert (validation.n_rows, validation.n_queries) == (0, 0)


def test_a_file_without_a_single_good_line_is_not_valid(write: Write) -> None:
    validation = validate_run(write("a.run", "q1 0 d1 1\nq1 0 d2 0\n"), query_ids=["q1"], depth=5)
    assert findings(validation) == [("wrong number of columns", 1), ("wrong number of columns", 2)]


def only_warning(path: Path, **options: Any) -> dict[str, Any]:
    validation = validate_run(path, **options)
    assert validation.is_valid, "a warning refuses nothing"
    finding: dict[str, Any]
    (finding,) = validation.to_dict()["findings"]
    assert finding["severity"] == "warning"
    return finding


def test_a_rank_column_that_contradicts_the_scores_is_remarked(write: Write) -> None:
    path = write("a.run", "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 a 1 1 t\nq2 Q0 b 2 2 t\n")
    assert only_warning(path) == {
        "severity": "warning",
        "kind": "rank column contradicts scores",
        "line": 3,
        "found": "query 'q2' with a rank column that contradicts its scores",
        "expected": "ranks that rise as scores fall",
        "advice": "The scores decide; the rank column is not used.",
    }


@pytest.mark.parametrize(
    "text",
    [
        "q1 Q0 a 0 2 t\nq1 Q0 b 1 1 t\n",
        "q1 Q0 a 10 2 t\nq1 Q0 b 30 1 t\n",
        "q1 Q0 b 2 1 t\nq1 Q0 a 1 2 t\n",
    ],
    ids=["from nought", "with gaps", "file not sorted"],
)
def test_ranks_that_only_rise_contradict_nothing(write: Write, text: str) -> None:
    assert str(validate_run(write("a.run", text))).endswith("nothing to remark.")


def test_ranks_inside_a_tie_contradict_nothing(write: Write) -> None:
    path = write("a.run", "q1 Q0 a 1 2 t\nq1 Q0 b 3 1 t\nq1 Q0 c 2 1 t\n")
    assert findings(validate_run(path)) == [("equal scores", 1)]


def test_equal_ranks_of_unequal_scores_contradict(write: Write) -> None:
    path = write("a.run", "q1 Q0 a 1 2 t\nq1 Q0 b 1 1 t\n")
    assert findings(validate_run(path)) == [("rank column contradicts scores", 1)]


def test_ties_are_counted_in_each_query(write: Write) -> None:
    path = write("a.run", "q1 Q0 a 1 1 t\nq2 Q0 a 1 2 t\nq2 Q0 b 2 2 t\nq2 Q0 c 3 1 t\nq2 Q0 d 4 0 t\nq2 Q0 e 5 0 t\n")
    finding = only_warning(path)
    assert (finding["kind"], finding["line"]) == ("equal scores", 2)
    assert finding["found"] == "query 'q2' with 4 documents that share their score with another"


def test_a_query_that_is_asked_for_and_missing_is_remarked(write: Write) -> None:
    finding = only_warning(write("a.run", CLEAN), query_ids=["q3", "q1", "q2", "q3"])
    assert finding["kind"] == "query missing"
    assert finding["line"] is None
    assert finding["found"] == "no row for query 'q3'"
    assert finding["advice"] == "A missing query scores 0."


def test_a_query_that_nobody_asked_for_is_remarked(write: Write) -> None:
    finding = only_warning(write("a.run", CLEAN), query_ids={"q1"})
    assert (finding["kind"], finding["line"], finding["found"]) == ("query unknown", 3, "query 'q2'")
    assert finding["advice"] == "Unknown queries are ignored."


def test_fewer_documents_than_asked_for_are_remarked(write: Write) -> None:
    finding = only_warning(write("a.run", CLEAN), depth=2)
    assert (finding["kind"], finding["line"]) == ("fewer documents than asked for", 3)
    assert finding["found"].startswith("query 'q2' with 1 document")
    assert finding["expected"] == "2 documents"


def test_a_query_that_may_be_there_is_neither_unknown_nor_missing(write: Write) -> None:
    path = write("a.run", CLEAN)
    assert not validate_run(path, query_ids=["q1"], optional_query_ids=["q2", "q9"]).findings


def test_more_documents_than_are_taken_are_an_error(write: Write) -> None:
    """At the first document over, in the order of the ranking."""
    validation = validate_run(write("a.run", "q1 Q0 b 2 0.8 t\n" + "q1 Q0 a 1 0.9 t\nq2 Q0 a 1 0.9 t\n"), max_depth=1)
    assert not validation.is_valid
    (finding,) = validation.to_frame().to_dicts()
    assert (finding["kind"], finding["line"]) == ("more documents than are taken", 1)
    assert (finding["found"], finding["expected"]) == ("query 'q1' with 2 documents", "at most 1")
    assert finding["advice"] == "Cut each query to its first 1: toprung convert IN OUT --depth 1"


def test_a_document_given_twice_says_where_it_was_first(write: Write) -> None:
    validation = validate_run(write("a.run", CLEAN + "q1 Q0 a 3 0.1 t\n"))
    (problem,) = validation.findings.first[Kind.DUPLICATE_DOCUMENT]
    assert (problem.line, problem.first_line) == (4, 1)


def test_gaps_in_the_ranks_of_an_msmarco_run_are_remarked(write: Write) -> None:
    finding = only_warning(write("a.tsv", "q1\ta\t1\nq1\tb\t2\nq2\ta\t3\nq2\tb\t1\n"))
    assert (finding["kind"], finding["line"]) == ("gaps in the ranks", 3)
    assert finding["found"] == "query 'q2' with 2 documents and ranks up to 3"
    assert finding["advice"] == "Ranks count as they are written."


def test_errors_come_before_warnings(write: Write) -> None:
    path = write("a.run", "q1 Q0 a 1 1 t\nq1 Q0 b 2 1 t\nq1 Q0 c x 0 t\n")
    severities = validate_run(path, depth=5).to_frame()["severity"].to_list()
    assert severities == ["error", "warning", "warning"]


def test_lines_of_mixed_up_queries_keep_their_numbers(write: Write) -> None:
    path = write("a.run", "q1 Q0 a 1 3 t\nq2 Q0 a 1 1 t\nq1 Q0 b 2 2 t\nq2 Q0 b 2 2 t\n")
    assert findings(validate_run(path)) == [("rank column contradicts scores", 2)]


def test_the_dict_can_be_written_as_json(write: Write) -> None:
    path = write("a.run", FAULTY)
    validation = validate_run(path, query_ids=["q1", "q3"], depth=3)
    back = json.loads(json.dumps(validation.to_dict()))
    assert back["sentence"] == f"{path} cannot be used: 7 errors, 4 warnings."
    assert (back["source"], back["format"], back["is_valid"]) == (str(path), "trec", False)
    assert (back["rows"], back["queries"]) == (2, 2)
    assert back["counts"]["wrong number of columns"] == 2
    assert back["counts"]["fewer documents than asked for"] == 2
    assert back["findings"][0] == {
        "severity": "error",
        "kind": "wrong number of columns",
        "line": 1,
        "found": "5 columns, 'q1 Q0 a 1 0.9'",
        "expected": "6 columns: query_id Q0 doc_id rank score tag",
        "advice": "Ids and tags must not contain blanks.",
    }


def test_the_page_escapes_what_the_file_holds(write: Write) -> None:
    html = validate_run(write("a.run", "q1 Q0 a 1 <script> t\n"))._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html


def test_the_provenance_names_the_file(write: Write) -> None:
    path = write("a.run", CLEAN)
    assert validate_run(path).provenance["run"] == str(path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("oops\nq1\ta\t1\nq1\tb\t2\n", RunFormat.MSMARCO),
        ("a b c\nq1 Q0 a 1 1 t\nq1 Q0 b 2 0 t\n", RunFormat.TREC),
        ("\nq1 Q0 a 1 1 t\n", RunFormat.TREC),
    ],
)
def test_the_format_is_what_most_lines_have(write: Write, text: str, expected: RunFormat) -> None:
    validation = validate_run(write("a.run", text))
    assert validation.format is expected
    assert findings(validation) == [("wrong number of columns", 1)]


def test_a_valid_parquet_run_is_called_valid(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    frame = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [1.0, 1.0]})
    frame.write_parquet(path)
    finding = only_warning(path)
    assert (finding["kind"], finding["line"]) == ("equal scores", None)
    assert validate_run(path).format is RunFormat.PARQUET


def test_a_parquet_run_with_a_fault_is_not_valid(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    frame = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "a"], "score": [1.0, 2.0]})
    frame.write_parquet(path)
    validation = validate_run(path)
    assert not validation.is_valid
    assert findings(validation) == [("cannot be read", None)]
    assert (
        "  found document 'a' of query 'q1' twice; expected each document at most once in a query."
        in str(validation).splitlines()
    )


def test_a_file_over_the_cap_is_refused(write: Write) -> None:
    with pytest.raises(TooLargeError, match="found more than 10 bytes"):
        validate_run(write("a.run", CLEAN), limits=Limits(max_bytes=10))


def test_the_queries_of_a_file_are_its_first_column(write: Write) -> None:
    path = write("queries.tsv", "\ufeffq2\twhat is a run\r\nq1 no tab\n\n  q3\n")
    assert read_query_ids(path) == ["q2", "q1", "q3"]


def test_a_file_of_queries_in_another_encoding_is_refused(write: Write) -> None:
    path = write("queries.tsv", b"q1\tok\nq\xe9\tnot UTF-8\n")
    with pytest.raises(FormatError, match="line 2: found byte 0xe9 at position 2 of the line; expected text in UTF-8"):
        read_query_ids(path)


def test_an_empty_file_of_queries_is_refused(write: Write) -> None:
    with pytest.raises(FormatError, match="found an empty file"):
        read_query_ids(write("queries.tsv", ""))


def test_a_real_run_with_a_wrong_rank_column_is_remarked_in_every_query(shared_data: Path) -> None:
    validation = validate_run(shared_data / "trec-covid-r1" / "SFDC-23April-run1.gz")
    assert validation.is_valid
    assert validation.findings.counts[Kind.RANK_CONTRADICTS] == 30
    assert str(validation).count("… and 10 more") >= 1
