"""Does a judge know the runs it judges?"""

from __future__ import annotations

import pytest

from toprung.labels.judges.family import family_of, runs_of_family


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-4o-mini", "gpt"),
        ("openai/gpt-4o", "gpt"),
        ("Llama3", "llama"),
        ("mixtral-x", "mixtral"),
        ("", ""),
        ("7b", ""),
    ],
)
def test_the_family_is_the_first_letters(model: str, family: str) -> None:
    assert family_of(model) == family


def test_runs_are_found_by_name_whatever_case_and_joints() -> None:
    runs = ["RankGPT-4", "monoT5", "g_p.t", "bm25"]
    assert runs_of_family("gpt", runs) == ["RankGPT-4", "g_p.t"]
    assert runs_of_family("mono-t5", runs) == ["monoT5"]


def test_no_family_has_no_runs() -> None:
    assert runs_of_family("", ["bm25"]) == []


@pytest.mark.parametrize(("model", "family"), [("o3", "o3"), ("google/t5-base", "t5-base"), ("o3-mini", "o3-mini")])
def test_one_letter_is_no_family(model: str, family: str) -> None:
    assert family_of(model) == family


def test_a_short_family_is_looked_for_as_a_whole_word() -> None:
    assert runs_of_family("o3", ["bm25-o3", "solo3", "o3"]) == ["bm25-o3", "o3"]
