"""Write judgments as the source has them: the label against another answer, with all texts, parted by tabs.

Only votes on pairs with exactly one label in them fit; the others are counted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from toprung.data.formats.judgments.lines import ARABZADEH_COLUMNS
from toprung.data.judgments import Choice, Judgment, Judgments

AGAINST_THE_LABEL = "B"
"""The source's category of a first answer that is not the label, compared with it."""


@dataclass(frozen=True, kw_only=True)
class SourceTsv:
    """The file, and how many votes have no place in it."""

    text: str
    n_left_out: int


def to_source_tsv(
    judgments: Judgments,
    *,
    labels: Mapping[str, Collection[str]],
    queries: Mapping[str, str],
    documents: Mapping[str, str],
) -> SourceTsv:
    """With a header, one line a vote. ``labels``: by query, the answers that are its label."""
    votes = [each for each in judgments.current if each.is_vote]
    fitting = [each for each in votes if _label_in(each, labels) is not None]
    lines = ["\t".join(ARABZADEH_COLUMNS)]
    for each in fitting:
        label = _label_in(each, labels) or ""
        other = each.right if each.left == label else each.left
        preference = "tie" if each.choice is Choice.TIE else "qrel" if each.winner == label else "other"
        texts = (queries.get(each.query_id, ""), documents.get(label, ""), documents.get(other, ""))
        asked, of_label, of_other = (" ".join(text.split()) for text in texts)
        cells = (each.query_id, asked, AGAINST_THE_LABEL, preference, label, of_label, other, of_other)
        lines.append("\t".join(cells))
    return SourceTsv(text="".join(f"{line}\n" for line in lines), n_left_out=len(votes) - len(fitting))


def _label_in(vote: Judgment, labels: Mapping[str, Collection[str]]) -> str | None:
    """Which of the two is the label; None where neither is, or both are."""
    found = [each for each in (vote.left, vote.right) if each in labels.get(vote.query_id, ())]
    return found[0] if len(found) == 1 else None
