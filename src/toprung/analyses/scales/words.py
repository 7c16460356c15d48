"""How is a scale check said? Its sentences, notes and tables; simple values as fractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from toprung.result import Explanation, Table
from toprung.scoring.catalogue import find_if_known
from toprung.scoring.measure import Aggregate, spell
from toprung.stats.finding import Scale
from toprung.stats.ranks.value_spacing import SAME
from toprung.words.wording import MINUS, fit_names, list_names, say_count, show_number

if TYPE_CHECKING:
    from toprung.analyses.scales.check import Fall, ScaleCheck

LARGEST_DENOMINATOR = 100
DECIMALS = 4
MOST_ROWS = 40
MOST_EXAMPLES = 3
RANKINGS_WIDTH = 48
ORDINAL = "Ordinal: never worse if a document is made a grade better, or changes places with a worse one above it"
OTHER_VIEW = (
    "Another view (Craswell et al. 2021, section 4.2): a measure should be equi-spaced in what users perceive; that "
    "no ranking reaches some value is no argument by itself."
)


def show_value(value: float) -> str:
    """A fraction where it is a simple one, else decimals.

    >>> show_value(1 / 2 - 1 / 3), show_value(1.0), show_value(0.6309297535714575)
    ('1/6', '1', '0.6309')
    """
    return show_fraction(value) or show_decimals(value)


def show_fraction(value: float) -> str:
    """A simple fraction, or nothing where it is none."""
    simple = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    is_simple = abs(float(simple) - value) <= SAME * max(1.0, abs(value)) and (simple != 0 or value == 0)
    return str(simple).replace("-", MINUS) if is_simple else ""


def show_decimals(value: float) -> str:
    """Four decimals, or so many that a small value does not look like none."""
    return f"{value:.1e}" if 0 < abs(value) < 0.5 * 10**-DECIMALS else show_number(value, DECIMALS)


def show_ranking(ranking: Sequence[int], grades: int) -> str:
    """Its grades, the first document first.

    >>> show_ranking((1, 0, 2), 3), show_ranking((1, 0, 11), 12)
    ('102', '1-0-11')
    """
    return ("" if grades <= 10 else "-").join(map(str, ranking))


def say_scope(check: ScaleCheck) -> str:
    return f"{check.n_rankings:,} rankings of {say_count(check.length, 'document')} with {check.grades} grades"


def say_check(check: ScaleCheck) -> str:
    """One sentence on one measure."""
    measure, scope = str(check.measure), f"all {say_scope(check)}"
    figure = "sum" if check.measure.aggregate is Aggregate.SUM else "mean"
    if not len(check.levels):
        return f"{measure} has no value on any of {say_scope(check)}."
    if check.is_constant:
        return f"{measure} is {show_value(float(check.levels[0]))} on {scope}: it tells none of them apart."
    if not check.is_ordinal:
        return (
            f"{measure} on {scope} is not even ordinal: in {check.n_falls:,} of {check.n_steps:,} steps to a better "
            f"ranking it gets worse, such as {_say_fall(check)}."
        )
    if check.is_equi_spaced:
        return (
            f"{measure} on {scope} is ordinal and equi-spaced: its {_say_values(check)}; "
            f"its {figure} presumes no more than the ranking gives."
        )
    return (
        f"{measure} on {scope} is ordinal but not equi-spaced: its {_say_values(check)}"
        f"{_say_unreachable(check)}; its {figure} presumes more than the ranking gives."
    )


def _say_values(check: ScaleCheck) -> str:
    low, high = float(check.gaps.min()), float(check.gaps.max())
    apart = show_value(low) if check.is_equi_spaced else f"{show_value(low)} to {show_value(high)}"
    return f"{len(check.levels):,} values lie {apart} apart"


def _say_unreachable(check: ScaleCheck) -> str:
    if not check.unreachable:
        return ""
    first = check.unreachable[0]
    values = " and ".join(show_value(value) for value in first.unreachable)
    return f", and a difference of {show_value(first.difference)} leads to {values}, which no ranking has"


def _say_fall(check: ScaleCheck) -> str:
    fall = check.falls[0]
    worse, better = (show_ranking(each, check.grades) for each in (fall.ranking, fall.better_ranking))
    return f"{worse} to {better}, {_say_change(fall)}"


def _say_change(fall: Fall) -> str:
    return f"from {show_value(fall.value)} to {show_value(fall.worse_value)}"


def table_of_values(check: ScaleCheck) -> Table:
    """One row a value, the best first."""
    rows = tuple(
        (
            show_decimals(row.value),
            show_fraction(row.value),
            f"{row.n_rankings:,}",
            "" if row.gap is None else show_value(row.gap),
            _show_rankings(check, row.value),
        )
        for row in islice(check.rows(), MOST_ROWS)
    )
    header = (str(check.measure), "exactly", "rankings", "to the next", "which")
    return Table(header=header, rows=rows, numeric=frozenset({0, 1, 2, 3}))


def _show_rankings(check: ScaleCheck, value: float) -> str:
    """Those that have a value, as many as fit, the highest grades first."""
    level = int(np.searchsorted(check.levels, value))
    numbers = np.flatnonzero(check.level_of == level)[::-1]
    shown = [show_ranking(check.ranking(number), check.grades) for number in numbers[:RANKINGS_WIDTH].tolist()]
    others = [""] * (len(numbers) - len(shown))  # too many to be shown: only their number is
    return fit_names([*shown, *others], RANKINGS_WIDTH)


def say_notes(check: ScaleCheck) -> Iterator[str]:
    """What stands behind the sentence on one measure."""
    yield _say_labels(check)
    yield from _say_left_out(check)
    if check.is_ordinal and not check.is_constant:
        yield f"{ORDINAL} ({check.n_steps:,} steps tried)."
    for fall in check.falls[:MOST_EXAMPLES]:
        worse, better = (show_ranking(each, check.grades) for each in (fall.ranking, fall.better_ranking))
        yield f"Not ordinal: {better} is better than {worse}; {_say_change(fall)}."
    yield from _say_differences(check)
    yield from _say_declared(check)
    yield from _say_cutoff(check)
    if not check.is_constant and not check.is_equi_spaced:
        yield OTHER_VIEW
        yield from _say_interval_version(check)
    yield from say_not_shown(len(check.levels))


def say_not_shown(n_values: int) -> Iterator[str]:
    if n_values > MOST_ROWS:
        yield f"Not shown: {n_values - MOST_ROWS:,} of {n_values:,} values; CSV and JSON output have all."


def _say_labels(check: ScaleCheck) -> str:
    of_each = "relevant documents" if check.grades == 2 else f"documents of each grade from 1 to {check.grades - 1}"
    return f"Labels: {check.length} {of_each}, so that every ranking can occur; grade 0 is a document without a label."


def _say_left_out(check: ScaleCheck) -> Iterator[str]:
    n = check.n_without_value
    if n and len(check.levels):
        rankings = say_count(n, "ranking has", "rankings have")
        yield f"Left out: {rankings} no {check.measure}; what such a query is worth, its scale does not say."


def _say_differences(check: ScaleCheck) -> Iterator[str]:
    if check.n_unreachable is None:
        yield f"Unreachable: differences between {len(check.levels):,} values were not tried one by one."
    if not check.n_unreachable or check.differences is None:
        return
    said = [
        f"{show_value(each.difference)} (between {show_value(each.lower)} and {show_value(each.upper)}) "
        f"to {' and '.join(map(show_value, each.unreachable))}"
        for each in check.unreachable[:MOST_EXAMPLES]
    ]
    more = [f"{check.n_unreachable - len(said):,} more"] if check.n_unreachable > len(said) else []
    of_all = f"{check.n_unreachable:,} of {len(check.differences.difference):,} differences"
    yield f"Unreachable: {of_all} lead from the ends where no ranking is: {'; '.join(said + more)}."


def _say_declared(check: ScaleCheck) -> Iterator[str]:
    if check.agrees_with_declared:
        return
    declared = f"Declared scale of {check.measure}: {check.declared.name.lower()}"
    if check.declared.permits(Scale.INTERVAL):
        yield f"{declared}, which these values do not bear out."
    else:
        yield f"{declared}; other lengths, grades or labels need not give equi-spaced values as these do."


def _say_cutoff(check: ScaleCheck) -> Iterator[str]:
    cutoff = check.measure.cutoff
    if cutoff is not None and cutoff > check.length:
        yield f"Cutoff: {check.measure} looks at {cutoff} documents, but these rankings have {check.length}."


def _say_interval_version(check: ScaleCheck) -> Iterator[str]:
    of = str(replace(check.measure, cutoff=None))
    version = find_if_known(spell("Interval", {"of": of}, check.measure.cutoff or check.length))
    if version is not None:
        yield f"Equi-spaced is {version}, the rank of each value; that may be further from what users perceive."


def say_checks(checks: Sequence[ScaleCheck]) -> str:
    """One sentence on several measures."""
    groups: dict[str, list[str]] = {
        each: [] for each in ("ordinal and equi-spaced", "ordinal, not equi-spaced", "not even ordinal", "constant")
    }
    for check in checks:
        groups[_verdict(check)].append(str(check.measure))
    said = [
        f"{list_names(names)} {'is' if len(names) == 1 else 'are'} {verdict}"
        for verdict, names in groups.items()
        if names
    ]
    return f"On all {say_scope(checks[0])} {'; '.join(said)}."


def _verdict(check: ScaleCheck) -> str:
    if check.is_constant:
        return "constant"
    if not check.is_ordinal:
        return "not even ordinal"
    return "ordinal and equi-spaced" if check.is_equi_spaced else "ordinal, not equi-spaced"


def table_of_measures(checks: Sequence[ScaleCheck]) -> Table:
    """One row a measure."""
    rows = tuple(
        (
            str(check.measure),
            check.declared.name.lower(),
            f"{len(check.levels):,}",
            *(["", ""] if check.is_constant else map(show_value, (check.gaps.min(), check.gaps.max()))),
            _yes(check.is_ordinal) if not check.is_constant else "–",
            _yes(check.is_equi_spaced) if not check.is_constant else "–",
            "not counted" if check.n_unreachable is None else f"{check.n_unreachable:,}",
        )
        for check in checks
    )
    header = ("measure", "declared", "values", "smallest gap", "largest gap", "ordinal", "equi-spaced", "unreachable")
    return Table(header=header, rows=rows, numeric=frozenset({2, 3, 4, 7}))


def _yes(claim: bool) -> str:
    return "yes" if claim else "no"


def say_shared_notes(checks: Sequence[ScaleCheck]) -> Iterator[str]:
    """What stands behind the sentence on several measures."""
    yield _say_labels(checks[0])
    yield f"{ORDINAL}."
    yield "Equi-spaced: neighbouring values lie equally far apart."
    yield "Unreachable: differences between two values that lead, from the lowest or highest, where no ranking is."
    for check in checks:
        yield from _say_left_out(check)
        yield from _say_declared(check)
        yield from _say_cutoff(check)
    if any(not check.is_constant and not check.is_equi_spaced for check in checks):
        yield OTHER_VIEW


def explain_checks(checks: Sequence[ScaleCheck]) -> Explanation:
    """How a scale was checked."""
    first = checks[0]
    what = f"{first.measure} is" if len(checks) == 1 else "Each measure is"
    return Explanation(
        how=(
            f"{what} computed on all {first.n_rankings:,} rankings of {say_count(first.length, 'document')} with "
            f"{first.grades} grades (Ferrante, Ferro and Fuhr 2021). It is ordinal there if no better ranking has a "
            "worse value, and of an interval scale if its values are also equi-spaced."
        ),
        assumptions=(
            "Short rankings stand for longer ones, which have more values: what lies evenly here may not do so there.",
            "Values that lie evenly are what makes an interval scale, which is debated (Craswell et al. 2021).",
        ),
    )
