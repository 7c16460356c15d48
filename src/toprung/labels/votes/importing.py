"""How do judgments made elsewhere get in? Once: a file again adds only what is new in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toprung.data.formats.judgments.rows import JudgmentFile
from toprung.data.judgments import Choice, Judgment, Judgments, Pair
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import read_pools
from toprung.result import NUMBERS, Cell, Column, Result, Rows
from toprung.words.wording import say_count

if TYPE_CHECKING:
    pass

IMPORTS = "imports"
"""In the manifest: what was imported, by the digest of the file."""
MOST_SHOWN = 3


def import_judgments(effort: Effort, file: JudgmentFile) -> ImportReport:
    """Add what a file holds and the state does not. An assessor who voted on a pair before is not counted again."""
    with effort.alone():
        before = effort.read_judgments()
        known = {each.judgment_id for each in before.rows}
        unknown = [each for each in file.judgments.rows if each.judgment_id not in known]
        voted = {(each.assessor, each.pair) for each in before.current if each.is_vote and each.assessor}
        new = [each for each in unknown if not _votes_again(each, voted)]
        pools = read_pools(effort)
        if new:
            effort.add_judgments(new)
            imports = dict(effort.manifest.get(IMPORTS, {}))
            imports[file.digest] = {"source": file.source, "format": file.format, "judgments": len(new)}
            effort.note({IMPORTS: imports})
    return ImportReport(
        file=file,
        n_added=len(new),
        n_voted_before=len(unknown) - len(new),
        n_unnamed_known=sum(each.judgment_id in known and not each.assessor for each in file.judgments.rows),
        n_outside=_count_outside(file.judgments, pools) if pools else None,
        n_before=len(before),
        folder=str(effort.folder),
    )


def _votes_again(judgment: Judgment, voted: Collection[tuple[str, Pair]]) -> bool:
    """Whether it is a second vote of its assessor; one that takes back the first is not."""
    return judgment.is_vote and judgment.supersedes is None and (judgment.assessor, judgment.pair) in voted


def _count_outside(judgments: Judgments, pools: Sequence[Pool]) -> int:
    """How many votes are on answers that are not both in the pool of their query."""
    pooled = {pool.query_id: {*pool.items, *pool.same_text} for pool in pools}
    votes = (each for each in judgments.rows if each.is_vote)
    return sum(not {each.left, each.right} <= pooled.get(each.query_id, set()) for each in votes)


@dataclass(frozen=True, kw_only=True, repr=False)
class ImportReport(Result):
    """What a file added."""

    FRAME = Rows("figures", of="figures.items()", columns=(Column("what", str, "0"), Column("number", int, "1")))
    MADE_FROM = ("source=file.source digest=file.digest format=file.format",)

    file: JudgmentFile
    n_added: int
    n_voted_before: int = 0
    """Second votes of an assessor on a pair, the first from elsewhere: left out."""
    n_unnamed_known: int = 0
    """Those without an assessor that were there already."""
    n_outside: int | None = None
    """Votes on answers that are not in the pools; None without pools."""
    n_before: int
    folder: str

    @property
    def n_known(self) -> int:
        """Judgments that were there already."""
        return len(self.file.judgments) - self.n_added - self.n_voted_before

    @property
    def sentence(self) -> str:
        again = f"; {self.n_voted_before:,} left out as second votes" if self.n_voted_before else ""
        if not self.n_added and not again:
            return f"{self.file.source} adds nothing: its {say_count(self.n_known, 'judgment')} are all there already."
        known = f"; {self.n_known:,} were there already" if self.n_known else ""
        added = say_count(self.n_added, "judgment")
        return f"{added} added from {self.file.source} ({self.file.format}){known}{again}."

    @property
    def figures(self) -> dict[str, int]:
        votes = [each for each in self.file.judgments.rows if each.is_vote]
        outside = {} if self.n_outside is None else {"outside the pools": self.n_outside}
        return {
            "judgments read": len(self.file.judgments),
            "added": self.n_added,
            "there already": self.n_known,
            "second votes left out": self.n_voted_before,
            "queries": len({each.query_id for each in votes}),
            "pairs": len({each.pair for each in votes}),
            "assessors": len({each.assessor for each in votes if each.assessor}),
            "ties": sum(each.choice is Choice.TIE for each in votes),
            **outside,
        }

    def cells(self) -> Sequence[Cell]:
        return NUMBERS

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._say_notes())

    def _say_notes(self) -> Iterator[str]:
        for kind, count in self.file.warnings.counts.items():
            kept = self.file.warnings.first[kind][:MOST_SHOWN]
            places = "; ".join(
                problem.found if problem.line is None else f"line {problem.line}: {problem.found}" for problem in kept
            )
            more = f"; {count - len(kept):,} more" if count > len(kept) else ""
            yield f"{kind.value.capitalize()} ({count:,}): {places}{more}. {kept[0].advice}"
        if self.n_voted_before:
            votes = say_count(self.n_voted_before, "vote")
            yield f"Left out: {votes} on a pair that the same assessor had judged before. The first vote counts."
        if self.n_added and self.n_unnamed_known:
            yield (
                f"There already: {say_count(self.n_unnamed_known, 'judgment')} without an assessor. If others made "
                "them, give the file a column or key that names who judged."
            )
        if self.n_outside:
            votes = say_count(self.n_outside, "vote")
            yield f"Outside the pools: {votes} on answers that are not both in the pool of their query."
        yield f"{self.folder} now holds {say_count(self.n_before + self.n_added, 'judgment')}."

    def to_dict(self) -> dict[str, Any]:
        return {
            "sentence": self.sentence,
            **{name.replace(" ", "_"): n for name, n in self.figures.items()},
            "warnings": {kind.value: count for kind, count in self.file.warnings.counts.items()},
            "notes": list(self.notes),
            "provenance": dict(self.provenance),
        }
