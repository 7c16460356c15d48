"""What else are measures called? Names that trec_eval has for them, objects of ir_measures, and several in one text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# The names of trec_eval 9 (`trec_eval -m all_trec`), for which ir_measures has a name too.
WHOLE = {
    "map": "AP",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "bpref": "Bpref",
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF",
    "set_map": "SetAP",
    "set_relative_P": "SetP(relative=True)",
}
CUT = {"P": "P", "recall": "R", "ndcg_cut": "nDCG", "map_cut": "AP", "success": "Success", "iprec_at_recall": "IPrec"}
WITH_NUMBER = re.compile(rf"({'|'.join(CUT)})[._](\d+(?:\.\d+)?)")

SAME_NAME = ("Rprec", "infAP")

DIVERSITY = frozenset(
    (
        *("AP_IA", "MAP_IA", "ERR_IA", "nERR_IA", "P_IA", "NRBP", "nNRBP", "StRecall"),
        *("alpha_DCG", "α_DCG", "alpha_nDCG", "α_nDCG"),
    )
)
_DIVERSITY_IN_LOWER_CASE = {name.lower() for name in DIVERSITY}


def needs_subtopics(name: str) -> bool:
    """Whether a measure of diversity or intent has this name, in upper or lower case.

    >>> needs_subtopics("alpha_nDCG"), needs_subtopics("err_ia"), needs_subtopics("nDCG")
    (True, True, False)
    """
    return name.lower() in _DIVERSITY_IN_LOWER_CASE


def is_of_trec_eval(name: str) -> bool:
    """Whether trec_eval has a measure that ir_measures calls so.

    >>> is_of_trec_eval("RR@10"), is_of_trec_eval("ERR@20"), is_of_trec_eval("nDCG(dcg='exp-log2')@10")
    (True, False, False)
    """
    family = re.split(r"[(@]", name)[0]
    known = {each.split("(")[0] for each in (*WHOLE.values(), *CUT.values(), *SAME_NAME)}
    return family in known and "dcg=" not in name


def from_trec_eval(text: str) -> str:
    """The name that ir_measures has for one of trec_eval's; any other text as it is.

    >>> from_trec_eval("ndcg_cut_10"), from_trec_eval("iprec_at_recall_0.10"), from_trec_eval("RR@10")
    ('nDCG@10', 'IPrec@0.1', 'RR@10')
    """
    name = text.strip()
    if (found := WITH_NUMBER.fullmatch(name)) is None:
        return WHOLE.get(name, text)
    number = float(found[2]) if "." in found[2] else int(found[2])
    return f"{CUT[found[1]]}@{number:g}" if isinstance(number, float) else f"{CUT[found[1]]}@{number}"


def is_ir_measure(candidate: object) -> bool:
    """Whether this is a measure of ir_measures; nothing is imported to know."""
    return any(kind.__module__ == "ir_measures.measures.base" for kind in type(candidate).__mro__)


def split_names(texts: Iterable[str]) -> list[str]:
    """Several measures in one text, parted by commas; those in parentheses part nothing.

    >>> split_names(["nDCG@10, RR(rel=2, mth=1)@10", "map"])
    ['nDCG@10', 'RR(rel=2, mth=1)@10', 'map']
    """
    return [name for text in texts for name in _split(text)]


def _split(text: str) -> Iterator[str]:
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()
