"""How are new labels told? Their sentence, which names the rule, their table, their notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from toprung.data.judgments import Pair
from toprung.labels.best.preference_qrels import PreferenceQrels
from toprung.labels.best.resolution import ResolutionRule
from toprung.labels.best.tournament import BestAnswers
from toprung.labels.best.upkeep import Replay
from toprung.labels.doubt.prior import StrengthPrior
from toprung.labels.votes.outcomes import VotePolicy
from toprung.labels.votes.totals import VoteTotals
from toprung.result import Column, Explanation, Fact, Facts, Result, Rows, Table, columns
from toprung.words.assumptions import CAREFUL_VOTES
from toprung.words.wording import list_names, say_count, say_queries, show_number, show_share


@dataclass(frozen=True, kw_only=True)
class PairingRecord:
    """How often some labels win the decided pairs they are in; a pair of two such labels does not count."""

    wins: int
    n: int

    @property
    def share(self) -> float:
        return self.wins / self.n if self.n else float("nan")


@dataclass(frozen=True, kw_only=True, repr=False)
class LabelReport(Result):
    """The best answers of every query, as a version of the labels."""

    FRAME = Rows(
        "labels",
        of="_labelled",
        columns=(
            *columns(str, "query_id=0.query_id doc_id=1"),
            Column("p_best", float, "2"),
            *columns(int, "best_answers=len(0.best) rounds=0.rounds missing_pairs=len(0.missing)"),
        ),
    )
    FIGURES = (
        "rule=version.manifest.rule at_least=version.manifest.at_least is_soft=version.manifest.is_soft",
        Fact("labels", lambda found: {query_id: each.best for query_id, each in found.results.items() if each.best}),
        "p_best",
        Fact("undecided", lambda found: [query_id for query_id, each in found.results.items() if not each.best]),
        Fact("unsure", lambda found: [query_id for query_id, each in found.results.items() if each.is_unsure]),
        Fact("missing_pairs", lambda found: [(pair.query_id, pair.a, pair.b) for pair in found.missing]),
        Facts("wins_of_new_labels", ("wins n",), of="new_labels"),
        Facts("votes", ("n_votes n_pairs n_queries n_outside",), of="totals"),
        Facts("prior", ("penalty tie_rate n_queries",), of="prior"),
    )

    results: Mapping[str, BestAnswers]
    version: PreferenceQrels
    totals: VoteTotals
    new_labels: PairingRecord
    old_labels: PairingRecord | None
    """Of the labels the pools were built with; None if there were none."""
    n_kept: int
    """Queries whose old label is among the best answers."""
    n_with_label: int
    n_unvouched: int
    """Pools of one answer that is no label: nothing to compare, and nobody to say that it is right."""
    replay: Replay
    p_best: Mapping[str, Mapping[str, float]]
    """Of each label in a judged pool, by query: how probable it is that no other answer there is better."""
    prior: StrengthPrior
    with_assessors: bool = False
    """Whether votes count by how often their assessor is right, behind P(best)."""

    @cached_property
    def sizes(self) -> dict[int, int]:
        """How many queries have so many best answers; 0 are the undecided."""
        counted = Counter(len(result.best) for result in self.results.values())
        return {size: counted[size] for size in sorted(counted)}

    @property
    def rule(self) -> str:
        return self.version.manifest.rule

    @property
    def n_unsure(self) -> int:
        return sum(each.is_unsure for each in self.results.values())

    @property
    def missing(self) -> tuple[Pair, ...]:
        """The pairs to ask for before every query is decided."""
        return tuple(pair for result in self.results.values() for pair in result.missing)

    @property
    def sentence(self) -> str:
        manifest = self.version.manifest
        labels = say_count(manifest.n_labels, "label")
        if manifest.is_soft:
            queries = say_queries(manifest.n_queries)
            return f"{labels} by {self.rule} of {queries}, graded by P(best) in percent.{self._say_undecided()}"
        single = self.sizes.get(1, 0)
        several = manifest.n_queries - single
        said = [f"{say_queries(single)} with one best answer"]
        if several:
            said.append(f"{several:,} with several that win over each other in a circle or tie")
        sure = f" at P(best) ≥ {manifest.at_least:g}" if manifest.at_least else ""
        return f"{labels} by {self.rule}{sure}: {' and '.join(said)}.{self._say_undecided()}"

    def _say_undecided(self) -> str:
        manifest = self.version.manifest
        if manifest.is_soft:
            return f" {say_queries(manifest.n_undecided)} without a vote." if manifest.n_undecided else ""
        others = manifest.n_undecided - self.n_unsure
        unsure = f" {say_queries(self.n_unsure)} left without a new label, for none is that sure."
        return (unsure if self.n_unsure else "") + (f" {say_queries(others)} undecided." if others else "")

    @property
    def table(self) -> Table:
        rows = tuple(
            ("undecided" if size == 0 else str(size), f"{n:,}", f"{size * n:,}") for size, n in self.sizes.items()
        )
        n_best = sum(size * n for size, n in self.sizes.items())
        total = ("all", f"{len(self.results):,}", f"{n_best:,}")
        return Table(header=("best answers", "queries", "answers"), rows=(*rows, total), numeric=frozenset({0, 1, 2}))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._say_notes())

    def _say_notes(self) -> Iterator[str]:
        voters = self.version.manifest.voters
        yield f"From {self.totals.say()}" + (f", of {list_names(list(voters))} alone." if voters else ".")
        yield _say_record("The new labels", self.new_labels)
        if self.old_labels is not None:
            yield _say_record("The labels the pools came with", self.old_labels)
            yield f"In {self.n_kept:,} of {say_queries(self.n_with_label)} the old label is among the best answers."
        yield from self._say_how_sure()
        manifest = self.version.manifest
        if manifest.incomplete and self.rule == ResolutionRule.ELIMINATION:
            yield (
                f"Incomplete: {say_queries(len(manifest.incomplete))} decided although pairs were not judged; "
                "an item without judged pairs counts as winning none."
            )
        if self.n_unvouched:
            yield f"No label for {say_queries(self.n_unvouched)} of one answer that is no label: nobody judged it."
        yield from self._say_what_to_ask()
        replay = self.replay
        if replay.n_won or replay.n_lost or replay.n_open:
            yield f"Challenges: {replay.n_won:,} won, {replay.n_lost:,} lost, {replay.n_open:,} open."

    def _say_how_sure(self) -> Iterator[str]:
        chances = [chance for labels in self.p_best.values() for chance in labels.values()]
        if not chances:
            return
        prior = self.prior
        by = f"estimated from {say_queries(prior.n_queries)}" if prior.n_queries else "too few queries to estimate it"
        ties = f", tie rate ν = {prior.tie_rate:.2f}" if prior.tie_rate else ""
        coins = ", votes by the accuracy of their assessor" if self.with_assessors else ""
        yield (
            f"How sure: a label with judged pairs is the best of its pool with P = {show_number(fmean(chances), 2)} in "
            f"the mean (Bradley–Terry, prior λ = {prior.penalty:.2g}, {by}{ties}{coins})."
        )

    def _say_what_to_ask(self) -> Iterator[str]:
        asked = sum(len(result.missing) for result in self.results.values() if not result.best)
        if asked:
            yield (
                f"To decide the others, {say_count(asked, 'pair')} must be judged; --rule strength goes without where "
                "the judged ones are enough."
            )
        elif self.n_unsure and not self.version.manifest.is_soft:
            yield (
                "Unsure queries keep the labels they had: `toprung labels outcomes --next N` names the pairs to judge, "
                "and --soft writes what is known."
            )

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=f"{self._say_rule()} How sure a label is comes from Bradley–Terry strengths of the answers judged for "
            "its query, with a prior that all queries share.",
            assumptions=(
                CAREFUL_VOTES,
                "The best answer is in the pool, where some run or the label put it.",
                "Votes are right more often than not; with few of them on a pair, some labels are wrong.",
                "P(best) takes for granted that one strength an answer says it all, and votes are independent.",
            ),
        )

    def _say_rule(self) -> str:
        manifest = self.version.manifest
        if manifest.is_soft:
            return "Every answer that may be the best of its pool is a label, graded by how probable that is."
        if self.rule == ResolutionRule.STRENGTH:
            return (
                "The label of a query is the answer that is most probably the best of its pool, where that is at least "
                f"{manifest.at_least:g}."
            )
        if self.rule == ResolutionRule.VOTES:
            return "The label of a query is the answer of its pool that won most single votes."
        is_weighted = manifest.policy.startswith(VotePolicy.DAWID_SKENE)
        votes = "its votes, weighted by assessor," if is_weighted else "the majority of its votes"
        return (
            f"Each pair of a pool is decided by {votes} and the answers with the most pairs won meet again until "
            "one is left, or several with as many wins each, which all become labels (Arabzadeh et al. 2021)."
        )

    @property
    def provenance(self) -> Mapping[str, object]:
        record = self.version.manifest.to_record()
        return {"toprung": record.pop("version"), **record}

    @property
    def _labelled(self) -> list[tuple[BestAnswers, str | None, float | None]]:
        """Each label with its chance to be the best; an undecided query once, without a label."""
        return [
            (result, doc_id, None if doc_id is None else self.p_best.get(query_id, {}).get(doc_id))
            for query_id, result in self.results.items()
            for doc_id in result.best or (None,)
        ]


def _say_record(whose: str, record: PairingRecord) -> str:
    return f"{whose} win {record.wins:,} of their {record.n:,} decided pairs ({show_share(record.share)})."
