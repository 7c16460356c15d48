from __future__ import annotations

import pytest

from toprung.report.page.words import plain, prose, words


def test_markup_becomes_text() -> None:
    assert words("<b>\"x\" & 'y'</b>") == "&lt;b&gt;&quot;x&quot; &amp; &#x27;y&#x27;&lt;/b&gt;"


def test_what_nobody_sees_is_named() -> None:
    assert words("bm25\u202e") == plain("bm25\u202e") == "bm25[U+202E]"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("עברית does better", "<bdi>עברית</bdi> does better"),
        ("of עברית: 12", "of <bdi>עברית</bdi>: 12"),
        ("עברית, مرحبا and x", "<bdi>עברית</bdi>, <bdi>مرحبا</bdi> and x"),  # the names of a list keep their order
        ("שלום עולם", "<bdi>שלום עולם</bdi>"),  # one name of two words is one
        ("é 🏆", "é 🏆"),
    ],
)
def test_letters_from_right_to_left_keep_to_themselves(text: str, shown: str) -> None:
    assert words(text) == shown


def test_an_attribute_holds_no_tag() -> None:
    assert plain("עברית <x>") == "עברית &lt;x&gt;"


def test_a_command_is_set_apart_and_nothing_else_is() -> None:
    assert prose("see `toprung plot`, not `<b>`") == "see <code>toprung plot</code>, not `&lt;b&gt;`"
