from __future__ import annotations

import pytest

import toprung as tr


def test_a_format_error_says_where_what_was_found_what_was_expected_and_what_to_do() -> None:
    error = tr.FormatError(source="a.run", line=3, found="five", expected="six", advice="Add one.")
    assert str(error) == "a.run, line 3: found five; expected six. Add one."
    assert (error.source, error.line, error.found, error.expected, error.advice) == (
        "a.run",
        3,
        "five",
        "six",
        "Add one.",
    )


def test_a_format_error_may_have_no_line_and_no_advice() -> None:
    assert str(tr.FormatError(source="a.run", found="five", expected="six")) == "a.run: found five; expected six."


@pytest.mark.parametrize("error", [tr.FormatError, tr.TooLargeError, tr.MeasureError, tr.NoOverlapError])
def test_what_is_wrong_with_an_input_is_a_value_error_of_toprung(error: type[Exception]) -> None:
    assert issubclass(error, tr.InputError)
    assert issubclass(error, tr.ToprungError)
    assert issubclass(error, ValueError)


def test_a_missing_package_is_no_fault_of_the_input() -> None:
    assert issubclass(tr.MissingPackageError, tr.ToprungError)
    assert not issubclass(tr.MissingPackageError, ValueError)
