"""How does a person judge without a browser?"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.data.judgments import Choice
from toprung.labels.judges.terminal import HELP, TerminalJudge, clean, show_pair
from toprung.labels.tasks.protocol import QuitError, Text, UndoError

QUERY, LEFT, RIGHT = Text("query-7", "why is the sky blue?"), Text("doc-1", "Rayleigh"), Text("doc-2", "scattering")


def person(keys: str, screen: list[str] | None = None, width: int = 100) -> TerminalJudge:
    pressed: Iterator[str] = iter(keys)
    return TerminalJudge(
        "ann", read_key=lambda: next(pressed, ""), write=([] if screen is None else screen).append, width=lambda: width
    )


@pytest.mark.parametrize(
    ("key", "choice"),
    [("1", Choice.LEFT), ("2", Choice.RIGHT), ("0", Choice.TIE), ("s", Choice.SKIP), ("S", Choice.SKIP)],
)
def test_a_key_is_an_answer(key: str, choice: Choice) -> None:
    assert person(key).compare(QUERY, LEFT, RIGHT).choice is choice


@pytest.mark.parametrize(
    ("key", "wish"), [("u", UndoError), ("q", QuitError), ("", QuitError), ("\x03", QuitError), ("\x04", QuitError)]
)
def test_undo_and_quit_are_wishes(key: str, wish: type[Exception]) -> None:
    with pytest.raises(wish):
        person(key).compare(QUERY, LEFT, RIGHT)


def test_other_keys_show_what_there_is_and_wait_on() -> None:
    screen: list[str] = []
    assert person("x\n9 1", screen).compare(QUERY, LEFT, RIGHT).choice is Choice.LEFT
    assert screen[1:] == [HELP, HELP]


@pytest.mark.parametrize("width", [10, 40, 100, 500])
def test_texts_are_shown_and_ids_are_not(width: int) -> None:
    screen: list[str] = []
    judge = person("1", screen, width)
    judge.progress = "4 of 13"
    judge.compare(QUERY, LEFT, RIGHT)
    assert all(shown in screen[0] for shown in ("blue?", "Rayleigh", "scattering", "4 of 13"))
    assert not any(an_id in screen[0] for an_id in ("query-7", "doc-1", "doc-2"))


def test_wide_screens_show_texts_side_by_side_and_narrow_ones_below_each_other() -> None:
    wide, narrow = (show_pair("why?", "left text", "right text", width=width) for width in (100, 60))
    assert any("left text" in line and "right text" in line for line in wide.splitlines())
    assert not any("left text" in line and "right text" in line for line in narrow.splitlines())
    assert narrow.index("left text") < narrow.index("right text")


@given(text=st.text(max_size=300), width=st.integers(20, 160))
def test_no_line_is_longer_than_the_screen(text: str, width: int) -> None:
    """But for letters of two columns, which are counted as two."""
    if text.isascii():
        assert all(len(line) <= width for line in show_pair("why?", text, text, width=width).splitlines())


@given(st.text())
def test_nothing_that_moves_the_cursor_is_shown(text: str) -> None:
    shown = clean(text)
    assert not any(ord(each) < 32 and each != "\n" for each in shown)
    assert "\x7f" not in shown
    assert "\x9b" not in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("a\r\nb", "a\nb"),
        ("over\rwrite", "overwrite"),
        ("\u202eright to left", "right to left"),
        ("naïve 日本語", "naïve 日本語"),
    ],
)
def test_escapes_are_taken_out_and_letters_stay(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_wide_letters_keep_the_columns_apart() -> None:
    lines = show_pair("why?", "日本語" * 30, "right", width=100).splitlines()
    assert all("日" * 26 not in line for line in lines)
    assert any("right" in line for line in lines)


def test_an_empty_text_is_said_to_be_empty() -> None:
    assert "(empty)" in show_pair("why?", "", "text", width=60)


def test_an_escape_that_never_ends_hides_nothing() -> None:
    assert clean("before \x1b]0;all the rest") == "before 0;all the rest"
    assert clean("before \x1b]0;title\x07after") == "before after"
