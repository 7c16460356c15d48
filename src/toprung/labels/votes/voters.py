"""Whose votes count? Those of a kind of assessors, or of some by name: no model is the same as another."""

from __future__ import annotations

from collections.abc import Collection

from toprung.data.judgments import AssessorKind, Judgments
from toprung.errors import InputError
from toprung.labels.votes.outcomes import OFFICIAL_KINDS, vote_columns
from toprung.words.wording import list_names


def choose_voters(
    judgments: Judgments, voters: Collection[str] = (), kinds: Collection[str] = ()
) -> tuple[Judgments, tuple[str, ...]]:
    """The judgments of the assessors named, or all, and the kinds whose votes count.

    Without names and kinds, people's and imported votes count; a name counts whatever its kind, unless kinds are given.

    >>> from toprung.data.judgments import Choice, Judgment
    >>> one = Judgment(judgment_id="1", query_id="q", left="a", right="b", choice=Choice.LEFT, assessor="ann")
    >>> chosen, kinds = choose_voters(Judgments.of([one]), ["ann"])
    >>> len(chosen), [str(kind) for kind in kinds]
    (1, ['human', 'llm', 'import'])
    """
    from toprung.extras.frames import pl

    if not voters:
        return judgments, tuple(kinds) or OFFICIAL_KINDS
    counted = tuple(kinds) or tuple(AssessorKind)
    known = [name for name in _names(judgments, counted) if name]
    if missing := next((name for name in voters if name not in known), None):
        there = list_names([f"'{name}'" for name in known]) or "nobody with a name"
        raise InputError(f"Found no votes of an assessor '{missing}'; expected one who voted here: {there}.")
    return Judgments(judgments.columns.filter(pl.col("assessor").is_in(list(voters)))), counted


def with_people_beside(judgments: Judgments, voters: Collection[str]) -> Judgments:
    """The judgments of those named; where these are models alone, all people's too, to hold theirs against."""
    from toprung.extras.frames import pl

    if not voters:
        return judgments
    chosen, _ = choose_voters(judgments, voters)
    is_person = pl.col("kind").is_in([str(kind) for kind in OFFICIAL_KINDS])
    if not chosen.columns.filter(is_person).is_empty():
        return chosen
    return Judgments(judgments.columns.filter(pl.col("assessor").is_in(list(voters)) | is_person))


def models_among(judgments: Judgments, kinds: Collection[str]) -> list[str]:
    """The language models whose votes count."""
    models = [kind for kind in kinds if kind == AssessorKind.LLM]
    return _names(judgments, models)


def are_of_models(judgments: Judgments, kinds: Collection[str]) -> bool:
    """Whether all votes that count are of language models, which are asked in both orders."""
    found = vote_columns(judgments, kinds=kinds)["kind"].unique().to_list()
    return found == [AssessorKind.LLM.value]


def _names(judgments: Judgments, kinds: Collection[str]) -> list[str]:
    """Who voted, in order."""
    return vote_columns(judgments, kinds=kinds)["assessor"].unique().sort().to_list()
