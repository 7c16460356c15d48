"""What is registered of an analysis holds: places can be loaded, names are distinct, nothing heavy comes along."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from toprung.analyses.catalogue import ANALYSES, all_analyses, all_figures, all_parts
from toprung.analysis import Analysis, load
from toprung.report.overview import needs


def places_of(analysis: Analysis) -> Iterator[str]:
    yield analysis.answer
    yield from (place for place in (analysis.command, analysis.in_public) if place)
    yield from (figure.draw for figure in analysis.figures)
    yield from (part.find for part in analysis.parts if part.find)
    yield from (option.choices for option in analysis.options if option.choices)


@pytest.mark.parametrize("analysis", all_analyses(), ids=lambda each: each.key)
def test_every_place_can_be_loaded(analysis: Analysis) -> None:
    for place in places_of(analysis):
        assert load(place) is not None


@pytest.mark.parametrize("analysis", all_analyses(), ids=lambda each: each.key)
def test_every_need_is_one_of_the_report(analysis: Analysis) -> None:
    for part in analysis.parts:
        for need in part.needs:
            assert callable(getattr(needs, need)), need


@pytest.mark.parametrize("analysis", all_analyses(), ids=lambda each: each.key)
def test_questions_are_questions_and_help_is_a_sentence(analysis: Analysis) -> None:
    assert all(question.endswith("?") for question in (analysis.question, *(part.question for part in analysis.parts)))
    assert analysis.help.split("\n\n")[0].endswith((".", "?"))


def test_names_and_places_are_given_once() -> None:
    for names in (
        [each.key for each in all_analyses()],
        [each.command_path for each in all_analyses()],
        [figure.kind for _, figure in all_figures()],
        [figure.place for _, figure in all_figures()],
        [part.key for _, part in all_parts()],
        [part.place for _, part in all_parts()],
    ):
        assert len(set(names)) == len(names)


def test_analyses_are_listed_by_their_commands() -> None:
    assert list(ANALYSES) == [each.command_path for each in all_analyses()]


def test_to_list_analyses_imports_no_arrays_and_no_frames() -> None:
    code = (
        "import sys; from toprung.analyses.catalogue import all_analyses; assert all_analyses();"
        "print([name for name in sys.modules if name.split('.')[0] in ('numpy', 'polars', 'scipy', 'click')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
