"""Which measures are there? Finds one by its name: Toprung's own first, then ir_measures'."""

from __future__ import annotations

from toprung.errors import MeasureError
from toprung.records import record
from toprung.scoring.external import ExternalMeasure, external_names, find_external, has_ir_measures
from toprung.scoring.measure import Definition, Measure, settle, split_name
from toprung.scoring.measures import NATIVE
from toprung.scoring.names import from_trec_eval, is_ir_measure, needs_subtopics
from toprung.stats.finding import Scale

AnyMeasure = Measure | ExternalMeasure
type GivenMeasure = str | AnyMeasure | object
"""By its name, or as an object of ir_measures."""

BY_NAME: dict[str, Definition] = {
    name: definition for definition in NATIVE for name in (definition.name, *definition.aliases)
}


def find_measure(given: GivenMeasure) -> AnyMeasure:
    """The measure of this name, such as ``nDCG@10`` or ``RR(rel=2)@100``; an object of ir_measures; a trec_eval name.

    >>> str(find_measure("MRR@10")), str(find_measure("ndcg_cut_10"))
    ('RR@10', 'nDCG@10')
    """
    if isinstance(given, Measure | ExternalMeasure):
        return given
    if not isinstance(given, str) and not is_ir_measure(given):
        raise MeasureError(f"Found {given!r} as a measure; expected a name such as 'nDCG@10'.")
    text = from_trec_eval(str(given))
    name, parameters, cutoff = split_name(text)
    if needs_subtopics(name):
        raise MeasureError(
            f"Found measure '{text}', which needs labels for the subtopics of a query. Toprung reads labels without "
            "subtopics, so the value would be wrong; expected a measure without subtopics, such as nDCG@10."
        )
    definition = BY_NAME.get(name)
    if definition is None:
        return find_external(text) or _refuse(text, name)
    if any(parameter not in definition.parameters for parameter in parameters):
        external = find_external(text)  # a parameter only ir_measures has, such as judged_only
        if external is not None:
            return external
    return settle(definition, parameters, cutoff)


def find_if_known(text: str) -> AnyMeasure | None:
    """The same, or None: the scores of a file may be of a measure that nobody knows."""
    try:
        return find_measure(text)
    except MeasureError:
        return None


def higher_is_better(measure: str) -> bool:
    """Whether more is better; it is for a measure that nobody knows.

    >>> higher_is_better("AP"), higher_is_better("ESL@10"), higher_is_better("thumbs")
    (True, False, True)
    """
    known = find_if_known(measure)
    return known is None or known.higher_is_better


def is_from_0_to_1(measure: str) -> bool:
    """Whether its values are known to lie there; of a measure that Toprung does not compute itself they are not.

    >>> is_from_0_to_1("AP"), is_from_0_to_1("ESL@10"), is_from_0_to_1("thumbs")
    (True, False, False)
    """
    known = find_if_known(measure)
    return isinstance(known, Measure) and known.definition.is_from_0_to_1


def scale_of(measure: str) -> Scale | None:
    """What a measure's values permit, where Toprung knows the measure.

    >>> scale_of("AP"), scale_of("thumbs")
    (<Scale.ORDINAL: 1>, None)
    """
    known = find_if_known(measure)
    return known.definition.scale if isinstance(known, Measure) else None


@record(kw_only=True)
class RankAsked:
    """Which document's rank is meant: the m-th of grade ``rel`` or more, up to the cutoff."""

    cutoff: int | None
    rel: int
    mth: int


def first_rank_of(measure: str) -> RankAsked | None:
    """Of which ranks a measure is the reciprocal; None for all but RR.

    >>> first_rank_of("RR(rel=2)@10"), first_rank_of("nDCG@10")
    (RankAsked(cutoff=10, rel=2, mth=1), None)
    """
    known = find_if_known(measure)
    if not isinstance(known, Measure) or known.definition.name != "RR":
        return None
    parameters = dict(known.parameters)
    if parameters.pop("ties", "doc_id") != "doc_id":
        return None
    return RankAsked(cutoff=known.cutoff, rel=parameters["rel"], mth=parameters["mth"])


def _refuse(text: str, name: str) -> AnyMeasure:
    import difflib  # only here: what is known needs it not

    known = [*BY_NAME, *external_names()]
    by_lower_case = {each.lower(): each for each in known}
    close = difflib.get_close_matches(name.lower(), by_lower_case, n=1)
    meant = by_lower_case[close[0]] if close else name
    hint = f" Did you mean {meant}?" if meant != name else ""
    more = "" if has_ir_measures() else " More measures come with toprung[ir-measures]."
    raise MeasureError(
        f"Found measure '{text}', which is not known; `toprung measures` lists those that are.{hint}{more}"
    )
