"""What does an answer say?"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from toprung.client.record import Record
from toprung.errors import InputError


def of(value: Any) -> Record:
    return Record(fields={"it": value}, source="https://a.org")


def test_fields_are_read_as_what_they_are() -> None:
    assert of("a\x1b[1mb\nc").text("it") == "a[U+001B][1mb c"
    assert (of(3).whole("it"), of(2).number("it"), of(0.5).number("it")) == (3, 2.0, 0.5)
    assert (of(True).claim("it"), of("2027-02-01T10:00:00Z").day("it")) == (True, date(2027, 2, 1))
    assert (of(12).identifier("it"), of("a-1").identifier("it")) == ("12", "a-1")
    assert (of(["a", "b\r\n"]).texts("it"), of([1, 0.5]).numbers("it")) == (("a", "b "), (1.0, 0.5))
    assert of({"x": 1}).record("it").whole("x") == 1
    assert [each.whole("x") for each in of([{"x": 1}, {"x": 2}]).records("it")] == [1, 2]


def test_what_is_not_there_is_empty_but_for_what_must_be_there() -> None:
    nothing = of(None)
    assert (nothing.text("it"), nothing.number("it"), nothing.claim("it"), nothing.day("it")) == ("", None, False, None)
    assert (nothing.texts("it"), nothing.records("it"), nothing.numbers("it")) == ((), (), ())
    assert nothing.record("it").fields == {}
    for read in (nothing.whole, nothing.identifier):
        with pytest.raises(InputError, match=r"https://a\.org: found nothing as 'it' in the answer; expected"):
            read("it")


@pytest.mark.parametrize(
    ("value", "reader"),
    [
        (3, "text"),
        ("3", "whole"),
        (True, "whole"),
        (0.5, "whole"),
        ("x", "number"),
        (float("inf"), "number"),
        (True, "number"),
        (10**400, "number"),
        ("yes", "claim"),
        ("soon", "day"),
        ("../me", "identifier"),
        ("a b", "identifier"),
        (True, "identifier"),
        ("abc", "texts"),
        ([1], "texts"),
        (["x"], "numbers"),
        ([True], "numbers"),
        ([10**400], "numbers"),
        ([1], "records"),
        ("abc", "records"),
        ([], "record"),
    ],
)
def test_another_kind_of_value_is_said_and_no_traceback(value: Any, reader: str) -> None:
    with pytest.raises(InputError, match="found something else as 'it' in the answer; expected"):
        getattr(of(value), reader)("it")
