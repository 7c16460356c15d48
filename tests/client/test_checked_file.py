"""What did the server find in a file?"""

from __future__ import annotations

from typing import Any

import pytest

from toprung.client.checked_file import is_accepted, is_checked, say_check, say_dev_scores
from toprung.client.record import Record


def file(**fields: Any) -> Record:
    return Record(fields={"file_name": "run.txt", **fields}, source="https://a.org")


def test_findings_are_said_with_their_lines_and_what_to_do() -> None:
    quoted = [{"number": 1204, "before": "q1 Q0 d1 1 ", "fault": "high", "after": " t"}]
    finding = {
        "severity": "error",
        "where": "line 1,204 and 1 more",
        "what": "Found score 'high'; expected a number.",
        "fix": "Write a number.",
        "quoted": quoted,
        "all": ["line 1,204: score 'high'", "line 9,000: score 'low'"],
    }
    report = {"sentence": "Cannot be scored yet: 1 error", "findings": [finding]}
    assert say_check(file(state="refused", report=report)) == (
        "run.txt: Cannot be scored yet: 1 error.\n"
        "\n"
        "error, line 1,204 and 1 more: Found score 'high'; expected a number.\n"
        "  Write a number.\n"
        "      1,204  q1 Q0 d1 1 high t\n"
        "  line 1,204: score 'high'\n"
        "  line 9,000: score 'low'"
    )


def test_a_file_that_is_not_kept_any_more_says_so() -> None:
    assert say_check(file(state="forgotten")) == "run.txt: not kept any more."


def test_what_a_file_holds_cannot_drive_the_terminal() -> None:
    quoted = [{"number": 1, "before": "\x1b[2J", "fault": "\u202e", "after": "\x07"}]
    findings = [{"severity": "error", "where": "line 1", "what": "Found\x1b]0;x", "quoted": quoted}]
    said = say_check(file(file_name="a\x1bb", state="refused", report={"sentence": "No", "findings": findings}))
    assert said.isprintable() or all(line.isprintable() for line in said.splitlines())


@pytest.mark.parametrize(
    ("state", "checked", "accepted"),
    [
        ("receiving", False, False),
        ("waiting", False, False),
        ("checking", False, False),
        ("accepted", True, True),
        ("refused", True, False),
        ("forgotten", True, False),
    ],
)
def test_a_check_comes_to_an_end(state: str, checked: bool, accepted: bool) -> None:
    assert (is_checked(file(state=state)), is_accepted(file(state=state))) == (checked, accepted)


def test_the_dry_run_is_said_where_there_was_one() -> None:
    dev = {"n_queries": 3, "scores": {"RR@100": 0.5, "nDCG@10": 1 / 3, "AP": None}}
    assert say_dev_scores(file(dev_scores=dev)) == (
        "Dry run on the public dev labels, 3 queries: RR@100 0.5000, nDCG@10 0.3333."
    )
    assert say_dev_scores(file(dev_scores=None)) == ""
    empty = file(dev_scores={"n_queries": 1, "scores": {}})
    assert say_dev_scores(empty) == "Dry run on the public dev labels, 1 query: none of them is in the file."
