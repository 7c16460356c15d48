"""How is a leaderboard before and after relabelling told? Its sentence, its table, its notes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from toprung.analyses.inputs import find_named
from toprung.analyses.relabel.soft import LabelDoubt
from toprung.analyses.run_scores import PERFECT
from toprung.analyses.sample_check.find import SampleCheck
from toprung.labels.best.preference_qrels import QrelsManifest
from toprung.result import Column, Explanation, Facts, Result, Rows, Table, columns
from toprung.stats.intervals.bootstrap import RESAMPLES, Effect
from toprung.version import __version__
from toprung.words.wording import MINUS, list_names, say_count, say_queries, show_interval, show_number

MOST_DRAWS = 0.95
"""Runs are named until one of them is first in this share of draws."""
POOLED_ONLY = "New labels can only be answers of pooled runs: `toprung labels leave-one-out` shows what that is worth."


@dataclass(frozen=True, kw_only=True)
class RelabelledRun:
    """One run's row."""

    run: str
    before: Effect
    after: Effect
    over_perfect: Effect
    """Its score under the new labels less that of the ranking that was perfect."""
    place_before: int
    place_after: int
    label_doubt: float = math.nan
    """By how much its score moves either way, in 95% of draws of the new labels; NaN if these are certain."""

    @property
    def move(self) -> int:
        """Places it has climbed; negative if it has fallen."""
        return self.place_before - self.place_after


RUN_COLUMNS = (
    Column("run", str),
    *columns(float, "before=before.estimate before_low=before.low before_high=before.high"),
    Column("place_before", int),
    *columns(float, "after=after.estimate after_low=after.low after_high=after.high"),
    *columns(int, "place_after move"),
    *columns(float, "over_perfect=over_perfect.estimate over_perfect_low=over_perfect.low"),
    Column("over_perfect_high", float, "over_perfect.high"),
    Column("n_queries", int, "after.n"),
    Column("label_doubt"),
)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Relabelled(Result):
    """Runs under the original and the new labels, the best under the new ones first."""

    FIGURES = (
        "measure",
        Rows("runs", RUN_COLUMNS, of="rows"),
        "perfect_before perfect_after better_than_perfect tau tau_top top",
        Facts("queries", ("both=n_queries original=n_without_new new=n_only_new",)),
        "sample=sample.to_dict()",
        "doubt",
        Facts("made_by", ("rule at_least penalty is_soft",), of="made_by"),
    )

    measure: str
    rows: tuple[RelabelledRun, ...]
    perfect_before: float
    perfect_after: float
    """What the ranking that is perfect by the original labels scores under the new ones."""
    tau: float
    """Kendall's τ-b between the scores before and after; NaN where it cannot be had."""
    tau_top: float
    """The same among the ``top`` runs that were first before; NaN if there are no more runs than that."""
    top: int
    n_queries: int
    n_without_new: int
    n_only_new: int
    sample: SampleCheck | None
    """Whether the queries with new labels order runs as all do, by the original labels; None if they are all."""
    higher_is_better: bool
    seed: int
    digests: Mapping[str, str]
    remarks: tuple[str, ...] = ()
    doubt: LabelDoubt | None = None
    """Who is first as labels are drawn; None where the new labels are certain."""
    made_by: QrelsManifest | None = None
    """What made the new labels, where that is known."""
    score_decimals: int = 4
    """What a score is written with; fewer where it was rounded before."""

    def __getitem__(self, run: str) -> RelabelledRun:
        return find_named("run", run, {row.run: row for row in self.rows})

    @property
    def better_than_perfect(self) -> tuple[str, ...]:
        """Runs whose whole interval lies on the good side of the ranking that was perfect."""
        if self.higher_is_better:
            return tuple(row.run for row in self.rows if row.over_perfect.low > 0)
        return tuple(row.run for row in self.rows if row.over_perfect.high < 0)

    @property
    def sentence(self) -> str:
        first = self.rows[0]
        leaders = [row.run for row in self.rows if row.place_after == 1]
        score = self._show(first.after.estimate)
        if len(self.rows) == 1:
            before = self._show(first.before.estimate)
            return f"{first.run} has {self.measure} {score} under the new labels, {before} before."
        direction = "highest" if self.higher_is_better else "lowest"
        if len(leaders) > 1:
            led = f"{list_names(leaders)} share the {direction} {self.measure} under the new labels, {score}."
        else:
            place = f"place {first.place_before} of {len(self.rows):,} before"
            led = f"{first.run} has the {direction} {self.measure} under the new labels, {score} ({place})."
        doubt = "" if self.doubt is None else f" {say_tops(self.doubt)}"
        if math.isnan(self.tau):
            return f"{led}{doubt}"
        among = (
            "" if math.isnan(self.tau_top) else f", {show_number(self.tau_top, 2)} among the first {self.top} before"
        )
        return f"{led}{doubt} Kendall's τ of the two orders is {show_number(self.tau, 2)}{among}."

    @property
    def table(self) -> Table:
        doubt = () if self.doubt is None else ("± labels",)
        header = ("run", f"{self.measure} before", "95% interval", "place", "now", "95% interval", *doubt)
        rows = [_cells(row, self.score_decimals) for row in self.rows]
        perfect = (PERFECT, self._show(self.perfect_before), "", "", self._show(self.perfect_after))
        rows.insert(self._perfect_at, (*perfect, *[""] * (len(header) - 3)))
        header = (*header, "place", "move")
        return Table(header=header, rows=tuple(rows), numeric=frozenset(range(1, len(header))))

    def _show(self, score: float) -> str:
        return show_number(score, self.score_decimals)

    @property
    def _perfect_at(self) -> int:
        """Where the perfect ranking stands among the rows: behind the runs that are at least as good."""
        sign = 1 if self.higher_is_better else -1
        return sum(sign * (row.after.estimate - self.perfect_after) >= 0 for row in self.rows)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self._say_notes(), *self.remarks)

    def _say_notes(self) -> Iterator[str]:
        left_out = []
        if self.n_without_new:
            left_out.append(f"{self.n_without_new:,} with original labels only")
        if self.n_only_new:
            left_out.append(f"{self.n_only_new:,} with new labels only")
        more = f"; left out: {' and '.join(left_out)}" if left_out else ""
        yield f"Queries: the {self.n_queries:,} with a relevant document in both label sets{more}."
        if self.sample is not None:
            yield f"Original labels: {self.sample.sentence[0].lower()}{self.sample.sentence[1:]}"
        ahead = len(self.better_than_perfect)
        yield (
            "Perfect ranking: the original labels first. Better than that now, with the 95% interval of the difference "
            f"clear of 0: {ahead:,} of {say_count(len(self.rows), 'run')}."
        )
        yield "Intervals: bootstrap of queries (BCa), one run at a time; they do not test one run against another."
        if self.made_by is not None:
            yield f"New labels: {say_made_by(self.made_by)}."
        if self.doubt is not None:
            yield (
                f"± labels: how far a score moves in 95% of draws of the labels from P(best), beside that interval; "
                f"{self.doubt.n_in_doubt:,} of {say_queries(self.n_queries)} have more than one possible label. Who is "
                f"first: {self.doubt.draws:,} such draws."
            )
        if self.made_by is not None:
            yield POOLED_ONLY

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                f"Every run is scored by {self.measure} under both label sets on {say_queries(self.n_queries)} with a "
                "relevant document in each, as is the ranking that is perfect by the original labels (Arabzadeh et al. "
                f"2021). Intervals are 95% bootstrap intervals ({RESAMPLES:,} samples of the queries, BCa), and "
                "Kendall's τ says how far the two orders agree."
            ),
            assumptions=self._assumptions,
        )

    @property
    def _assumptions(self) -> tuple[str, ...]:
        """Nothing is said of votes and pools where the labels came without a word on how they were made."""
        fair = "Queries that got new labels are a fair sample of all."
        if self.made_by is None:
            return "The new labels are the better ones.", fair
        return (
            "The new labels are the better ones: they rest on votes, of which some are wrong.",
            fair,
            "All runs were pooled: an answer that is in no pool could not become a label.",
        )

    @property
    def provenance(self) -> dict[str, object]:
        return {
            "measure": self.measure,
            **{f"{name}_digest": digest for name, digest in self.digests.items()},
            "n_queries": self.n_queries,
            "n_runs": len(self.rows),
            "seed": self.seed,
            "toprung": __version__,
        }

    def __repr__(self) -> str:
        return f"Relabelled({len(self.rows):,} runs, {self.n_queries:,} queries, {self.measure})"


def say_tops(doubt: LabelDoubt) -> str:
    """Who may be first, with those named that are first in 95% of draws."""
    named, total = [], 0.0
    for each in doubt.tops:
        named.append(each)
        total += each.share
        if total >= MOST_DRAWS:
            break
    if len(named) == 1:
        return f"By the doubt about labels, it is {named[0].run} in {100 * named[0].share:.0f}% of draws."
    runs = list_names([each.run for each in named])
    shares = "/".join(f"{100 * each.share:.0f}" for each in named)
    return f"By the doubt about labels, the top run is one of {len(named)}, {runs}: {shares}%."


def say_made_by(manifest: QrelsManifest) -> str:
    """The rule behind labels, and how sure they had to be."""
    sure = f" at P(best) ≥ {manifest.at_least:g}" if manifest.at_least else ""
    soft = ", soft: graded by P(best) in percent" if manifest.is_soft else ""
    whose = f", from the votes of {list_names(list(manifest.voters))} alone" if manifest.voters else ""
    return f"by {manifest.rule}{sure}{soft}{whose}"


def _cells(row: RelabelledRun, decimals: int) -> tuple[str, ...]:
    return (
        row.run,
        show_number(row.before.estimate, decimals),
        show_interval(row.before.low, row.before.high, decimals),
        str(row.place_before),
        show_number(row.after.estimate, decimals),
        show_interval(row.after.low, row.after.high, decimals),
        *(() if math.isnan(row.label_doubt) else (show_number(row.label_doubt, decimals),)),
        str(row.place_after),
        _arrow(row.move),
    )


def _arrow(move: int) -> str:
    return "" if move == 0 else f"+{move}" if move > 0 else f"{MINUS}{-move}"
