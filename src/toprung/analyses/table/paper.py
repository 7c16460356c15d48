"""What does the paper say beside the table? A caption, a paragraph on the methods, and the references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.analyses.table.references import IR_MEASURES, MOGSTAD, ROMANO_WOLF, SMUCKER, TOPRUNG
from toprung.analyses.table.rows import BETTER, MAY_BE_BEST, WORSE
from toprung.result import Citation, Passage, PassageKind
from toprung.stats.tests.pair import MOST_FLIPPED
from toprung.words.wording import list_names, say_queries

if TYPE_CHECKING:
    from toprung.analyses.table.find import PaperTable


def write_passages(table: PaperTable) -> tuple[Passage, ...]:
    """Caption, methods and BibTeX, in this order."""
    return (
        Passage(heading="Caption", pieces=(" ".join(_caption(table)),), kind=PassageKind.CAPTION),
        Passage(heading="Methods", pieces=tuple(_methods(table))),
        Passage(heading="BibTeX", pieces=("\n\n".join(each.bibtex for each in cited(table)),), kind=PassageKind.CODE),
    )


def cited(table: PaperTable) -> tuple[Citation, ...]:
    """The publications that the methods name, each once."""
    return tuple(dict.fromkeys(each for each in _methods(table) if isinstance(each, Citation)))


def _caption(table: PaperTable) -> Iterator[str]:
    yield f"{list_names(list(table.measures), most=len(table.measured))} over {say_queries(table.n_queries)}."
    lower = [each.measure for each in table.measured if not each.higher_is_better]
    if lower:
        yield f"Lower is better in {list_names(lower)}."
    unmarked = [each.measure for each in table.measured if each.top is None]
    if len(unmarked) == len(table.measured):
        yield "Not tested: not every run has a value for every query."
        return
    yield f"Bold: the best value. {MAY_BE_BEST}: may be best, since no run is better."
    yield _say_marks(table)
    if unmarked:
        yield f"{list_names(unmarked)}: not tested, since not every run has a value for every query."


def _say_marks(table: PaperTable) -> str:
    if len(table.runs) == 2:
        test = f"(exact or paired t-test, two-sided, at {_level(table)})"
    else:
        test = (
            f"(all {table.n_pairs:,} pairs of runs at once by max-t bootstrap with step-down, family-wise error at "
            f"most {_level(table)} per measure)"
        )
    if table.baseline is not None:
        return f"{BETTER} and {WORSE}: better and worse than {table.baseline}, beyond chance {test}."
    if not table.letters:
        return f"Better means beyond chance {test}."
    verb = "is better than" if table.marks == "better" else "differs from"
    return f"Letters: the runs that a run {verb}, beyond chance {test}."


def _level(table: PaperTable) -> str:
    return f"{100 * table.alpha:g}%"


def _methods(table: PaperTable) -> Iterator[str | Citation]:
    yield from _say_scoring(table)
    if all(each.top is None for each in table.measured):
        yield " No differences were tested."
        return
    yield from _say_pair_test(table) if len(table.runs) == 2 else _say_all_pairs(table)
    yield f" Measures were not corrected for one another. A run is marked {MAY_BE_BEST} if no other run is better"
    if len(table.runs) > 2:
        yield ", that is, if the confidence set of its rank contains 1"
    yield "."


def _say_scoring(table: PaperTable) -> Iterator[str | Citation]:
    queries = say_queries(table.n_queries)
    yield f"{'Runs were scored' if table.is_scored_here else 'Scores of runs were compared'} with Toprung "
    yield TOPRUNG
    yield f" over {queries}"
    if table.is_scored_here:
        yield " that have a relevant document; a query missing from a run scores 0"
    foreign = [each.measure for each in table.measured if each.is_of_ir_measures] if table.is_scored_here else []
    if foreign:
        yield f"; {list_names(foreign)} by ir_measures "
        yield IR_MEASURES
    yield "."


def _say_pair_test(table: PaperTable) -> Iterator[str | Citation]:
    yield (
        " For each measure the two runs were compared query by query, two-sided, by the exact randomisation test where "
        f"they differ on at most {MOST_FLIPPED} queries and else by the paired t-test "
    )
    yield SMUCKER
    yield f", at {_level(table)}."


def _say_all_pairs(table: PaperTable) -> Iterator[str | Citation]:
    ranks = next(each.top.intervals for each in table.measured if each.top is not None)
    kind = "studentised" if ranks.is_studentised else "standardised"
    yield (
        f" For each measure, all {table.n_pairs:,} pairs of the {len(table.runs):,} runs were compared at once by the "
        f"largest {kind} mean difference, bootstrapped over queries ({ranks.resamples:,} resamples, seed "
        f"{table.seed}), with step-down "
    )
    yield ROMANO_WOLF
    yield ", as for confidence sets of ranks "
    yield MOGSTAD
    yield (
        ". The family is all pairs of runs under one measure: the chance that any two are told apart wrongly is at "
        f"most {_level(table)}. Pairs that differ on fewer than {ranks.least_differing:,} queries were not told apart."
    )
