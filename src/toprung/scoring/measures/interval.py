"""How many steps up its scale is a ranking? Interval, a measure's values made equi-spaced.

Ferrante, Ferro and Fuhr 2021: a value counts as its rank among all values that rankings of k documents could have for
the query's labels, from 0 to 1. Documents without a label, or of a grade that the measure does not count, are alike.
Steps are equal within a query; a query with other labels may have more or fewer of them between 0 and 1.
"""

from __future__ import annotations

from dataclasses import replace

from toprung.scoring.measure import Cutoff, Definition, Measure, settle, spell, split_name
from toprung.scoring.ranked_labels import Floats, RankedLabels
from toprung.stats.finding import Scale


def interval_value(ranked: RankedLabels, *, of: str, cutoff: int) -> Floats:
    from toprung.scoring.measures.interval_steps import steps_up  # only here: to list measures loads no NumPy

    return steps_up(ranked, _settle(of, cutoff), cutoff)


def _settle(of: str, cutoff: int) -> Measure:
    name, parameters, _ = split_name(of)
    return settle(_measures()[name], parameters, cutoff)


def _settle_without_cutoff(of: str) -> Measure:
    name, parameters, _ = split_name(of)
    return settle(replace(_measures()[name], cutoff=Cutoff.OPTIONAL), parameters, None)


def _measures() -> dict[str, Definition]:
    """What Interval can be of: measures that take a cutoff, are better when higher, and that grades alone decide."""
    from toprung.scoring.measures import NATIVE  # only here: the list holds Interval itself

    return {
        name: each
        for each in NATIVE
        if each.higher_is_better and each.cutoff is not Cutoff.NONE and each.name not in ("Interval", "Judged")
        for name in (each.name, *each.aliases)
    }


def _check(of: str) -> str | None:
    name, parameters, cutoff = split_name(of)
    if cutoff is not None:
        return f"the cutoff behind it: {spell('Interval', {'of': spell(name, parameters, None)}, cutoff)}"
    if name not in _measures():
        names = dict.fromkeys(each.name for each in _measures().values())
        return f"of= one of {', '.join(names)}, as in Interval(of='nDCG')@10"
    measure = _settle_without_cutoff(of)
    rel = measure.rel
    if rel is not None and rel < 1:
        return "rel from 1 in of="
    if dict(measure.parameters).get("ties", "doc_id") != "doc_id":
        return "of= without ties: a mean over ways to break ties is no value of one ranking"
    return None


def _respell(of: str) -> dict[str, str]:
    return {"of": str(_settle_without_cutoff(of))}


Interval = Definition(
    name="Interval",
    summary="the rank of a measure's value among all it could have for the query's labels, from 0 to 1",
    score=interval_value,
    parameters={"of": "nDCG"},
    needed=("of",),
    check=_check,
    respell=_respell,
    cutoff=Cutoff.REQUIRED,
    scale=Scale.INTERVAL,
)
