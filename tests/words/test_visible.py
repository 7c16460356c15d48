from __future__ import annotations

import unicodedata

import pytest

from toprung.words.visible import HIDDEN, in_one_line, keep_apart, quoted, spell_hidden


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("bm25", "bm25"),
        ("a\u202eb\u202c", "a[U+202E]b[U+202C]"),  # turned round, and back
        ("\u2066x\u2069", "[U+2066]x[U+2069]"),
        ("bm25\u200b", "bm25[U+200B]"),  # looks like bm25
        ("\ufeffbm25", "[U+FEFF]bm25"),
        ("a\x00\x1b[2J\x7f\x9b", "a[U+0000][U+001B][2J[U+007F][U+009B]"),
        ("\udcff", "[U+DCFF]"),
        ("\U000e0041", "[U+E0041]"),
        ("two\nlines\tand\r\n", "two\nlines\tand\r\n"),
    ],
)
def test_what_nobody_sees_is_spelt(text: str, shown: str) -> None:
    assert spell_hidden(text) == shown


@pytest.mark.parametrize(
    "text",
    ["é ü ß", "עברית", "مرحبا", "文字", "नमस्ते", "می\u200cخواهم", "👩\u200d🔬", "🏳️\u200d🌈", "a\u00a0b", "e\u0301"],
)
def test_what_letters_need_stays(text: str) -> None:
    assert spell_hidden(text) == text


def test_every_direction_mark_and_every_control_character_counts_as_hidden() -> None:
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    every = [chr(code) for code in range(0x110000)]
    expected = [
        each
        for each in every
        if unicodedata.bidirectional(each) in turning
        or (unicodedata.category(each) == "Cc" and each not in "\t\n\r\x85")
        or unicodedata.category(each) == "Cs"
    ]
    assert [each for each in expected if not HIDDEN.fullmatch(each)] == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", "\u2028", "\u2029", "\t", " \n\t "])
def test_a_line_end_in_a_name_is_a_blank(end: str) -> None:
    assert in_one_line(f"two{end}lines") == "two lines"


def test_blanks_that_were_there_stay() -> None:
    assert in_one_line("  set in  twice") == "  set in  twice"


@pytest.mark.parametrize(
    ("cell", "kept"), [("0.5", "0.5"), ("é", "é"), ("עב", "\u200eעב\u200e"), ("x ١٢", "\u200ex ١٢\u200e")]
)
def test_only_a_cell_with_letters_from_right_to_left_needs_marks(cell: str, kept: str) -> None:
    assert keep_apart(cell) == kept


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "'plain'"),
        ("tab\there", "'tab\\there'"),
        ("nul\x00", "'nul\\x00'"),
        ("été", "'été'"),
        ("x" * 80, "'" + "x" * 80 + "'"),
        ("x" * 81, "'" + "x" * 80 + "…'"),
    ],
)
def test_a_quoted_piece_is_printable_and_short(text: str, shown: str) -> None:
    assert quoted(text) == shown
