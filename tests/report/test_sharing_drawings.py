"""Badges and preview cards: texts stand within what was measured for them, whoever named the run."""

from __future__ import annotations

import struct
from xml.etree import ElementTree as ET

import pytest

from toprung.report.share.badge import BESIDE, draw_badge
from toprung.report.share.card import HEIGHT, LEFT, WIDTH, CardBar, PreviewCard, draw_card
from toprung.report.share.sheet import MARGIN, Sheet, draw_sheet
from toprung.report.share.text_widths import SANS, SERIF_BOLD, measure_text, shorten_text, wrap_text
from toprung.result import Table

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["run", "W" * 90, "<script>alert(1)</script>", "検索システム" * 9, "a & b", "\u202eevil"]


def test_widths_are_those_of_the_font() -> None:
    """DejaVu Sans: M is 1767 of 2048 units wide, i 569; DejaVu Serif Bold: M 2267."""
    assert SANS[ord("M") - 32] == round(1767 / 2048 * 1000)
    assert SANS[ord("i") - 32] == round(569 / 2048 * 1000)
    assert SERIF_BOLD[ord("M") - 32] == round(2267 / 2048 * 1000)
    assert len(SANS) == len(SERIF_BOLD) == 95
    assert measure_text("Mi", 20) == pytest.approx(20 * (0.863 + 0.278))


@pytest.mark.parametrize("name", NAMES)
def test_a_badge_holds_its_texts(name: str) -> None:
    root = ET.fromstring(draw_badge(name, f"{name} may be best, with 3 others", is_top=True))
    left, right = root.findall(f"{SVG}rect")
    total = float(left.attrib["width"]) + float(right.attrib["width"])
    assert float(root.attrib["width"]) == total <= 540
    first, second = root.findall(f"{SVG}text")
    assert float(first.attrib["x"]) + float(first.attrib["textLength"]) + BESIDE <= float(left.attrib["width"])
    assert float(second.attrib["x"]) + float(second.attrib["textLength"]) + BESIDE <= total
    assert "\u202e" not in "".join(root.itertext())


def test_a_badge_needs_no_style_and_no_script() -> None:
    drawn = draw_badge("Web Docs", "4 of 38 runs may be best")
    assert "style" not in drawn
    assert "script" not in drawn
    assert "href" not in drawn


@pytest.mark.parametrize("name", NAMES)
def test_the_columns_of_a_sheet_do_not_overlap(name: str) -> None:
    table = Table(
        header=("rank", "run", "score"), rows=(("1", name, "0.5"), ("2–10", "b", "0.25")), numeric=frozenset({0, 2})
    )
    sheet = Sheet(
        title=name, sentence=f"{name} does best.", because=["x"], table=table, shaded=frozenset({0}), notes=[name]
    )
    root = ET.fromstring(draw_sheet(sheet))
    wide = float(root.attrib["width"])
    ends: dict[str, float] = {}
    for text in root.findall(f"{SVG}text"):
        said, size, x = "".join(text.itertext()), float(text.attrib["font-size"]), float(text.attrib["x"])
        widths = SERIF_BOLD if text.attrib["font-weight"] == "600" else SANS
        left = x - measure_text(said, size, widths) if text.attrib.get("text-anchor") else x
        assert left >= ends.get(text.attrib["y"], MARGIN) - 0.1
        ends[text.attrib["y"]] = left + measure_text(said, size, widths)
    assert max(ends.values()) <= wide - MARGIN + 0.1
    assert "\u202e" not in "".join(root.itertext())
    assert len([each for each in root.findall(f"{SVG}rect") if each.attrib["fill"] == "#eef6f3"]) == 1


def test_a_text_is_broken_between_words() -> None:
    """In DejaVu at size 10 an "a" takes 6.13 and a blank 3.18: two words of two letters take 27.7."""
    assert wrap_text("aa aa aa", 28, 10) == ["aa aa", "aa"]
    assert wrap_text("aa aa", 27, 10) == ["aa", "aa"]
    assert wrap_text("", 27, 10) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_card_holds_its_sentence(name: str) -> None:
    """Every line is measured as bold, the widest; none stands below the bars, and none runs out of the picture."""
    bold = f"Four runs may be best: {name}, {name}, {name} and {name};"
    card = PreviewCard(title=name, bold=bold, rest="the labels cannot tell them apart.", facts="54 queries")
    root = ET.fromstring(draw_card(card))
    texts = root.findall(f"{SVG}text")
    for text in texts:
        said, size = "".join(text.itertext()), float(text.attrib["font-size"])
        widths = SERIF_BOLD if "Serif" in text.attrib["font-family"] else SANS
        assert LEFT + measure_text(said, size, widths) <= WIDTH
    sentence = [text for text in texts if "Serif" in text.attrib["font-family"]]
    assert max(float(text.attrib["y"]) for text in sentence) < 468
    assert min(float(text.attrib["y"]) - float(text.attrib["font-size"]) for text in sentence) > 154


def test_the_bold_part_ends_where_the_verdict_ends() -> None:
    root = ET.fromstring(draw_card(PreviewCard(title="T", bold="a does best,", rest="beyond chance.", facts="")))
    spans = [(span.attrib["font-weight"], span.text) for span in root.iter(f"{SVG}tspan")]
    assert spans == [("700", "a does best,"), ("400", " beyond chance.")]


def test_the_card_becomes_a_picture_of_its_size() -> None:
    vl_convert = pytest.importorskip("vl_convert")
    bars = [CardBar(low=0.1, high=0.9, is_top=True), CardBar(low=0.0, high=0.5, is_top=False)]
    picture = vl_convert.svg_to_png(
        draw_card(PreviewCard(title="Web Docs", bold="a does best,", rest="beyond chance.", facts="", bars=bars))
    )
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == (WIDTH, HEIGHT)


def test_a_text_that_does_not_fit_is_shortened() -> None:
    """By the widths: meridian and the ellipsis take 11 × 5.238 = 57.6, with the hyphen 61.6."""
    assert shorten_text("meridian-dense-v2", 60, 11) == "meridian…"
