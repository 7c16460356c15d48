"""What labels do the tournaments give, and how often does a label win its pairs?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING

from toprung.data.judgments import Judgments, Pair
from toprung.data.qrels import Qrels
from toprung.labels.best.challenges import Challenge
from toprung.labels.best.preference_qrels import PreferenceQrels, to_preference_qrels
from toprung.labels.best.replacement import find_rule
from toprung.labels.best.strengths import item_strengths
from toprung.labels.best.tournament import TournamentResult, hold_tournaments
from toprung.labels.best.upkeep import DEFAULT_RULE, Replay, replay_challenges
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import OFFICIAL_KINDS, PairOutcome, VotePolicy, merge_same_texts, resolve_pairs
from toprung.result import Column, Explanation, Fact, Facts, Result, Rows, Table, columns
from toprung.words.assumptions import CAREFUL_VOTES
from toprung.words.wording import say_count, say_queries, show_number, show_share

if TYPE_CHECKING:
    pass

# For each pool: a standard error of 0.02 at most, at a quarter of the cost.
DRAWS = 500


@dataclass(frozen=True, kw_only=True)
class PairingRecord:
    """How often some labels win the decided pairs they are in; a pair of two such labels does not count."""

    wins: int
    n: int

    @property
    def share(self) -> float:
        return self.wins / self.n if self.n else float("nan")


def derive_labels(
    judgments: Judgments,
    pools: Sequence[Pool],
    *,
    parent: Qrels | str | None = None,
    policy: str = VotePolicy.MAJORITY,
    kinds: Collection[str] = OFFICIAL_KINDS,
    allow_incomplete: bool = False,
    challenges: Sequence[Challenge] = (),
    rule: str = DEFAULT_RULE,
) -> LabelReport:
    """Hold a tournament in every pool and make the best answers labels.

    Parameters
    ----------
    judgments
        All judgments.
    pools
        What was to be judged; `pools_of_judgments` where nothing was pooled.
    parent
        The labels the pools came from, or their digest: the new version names them as its parent.
    policy, kinds
        How votes are counted, and whose: see `resolve_pairs`.
    allow_incomplete
        Let the judged pairs decide where others are missing; such queries are marked.
    challenges, rule
        All that were made against the labels, and when one is won: those that are decided count.

    """
    outcomes = merge_same_texts(resolve_pairs(judgments, policy=policy, kinds=kinds), pools)
    held = hold_tournaments(pools, outcomes, allow_incomplete=allow_incomplete)
    counted = merge_same_texts(resolve_pairs(judgments, kinds=kinds), pools)  # a rule counts votes, and weighs none
    replay = replay_challenges(held, challenges, counted, rule=find_rule(rule))
    results = replay.results
    version = to_preference_qrels(
        results,
        parent=parent,
        judgments=judgments,
        policy=f"{policy}, challenges by {rule}" if challenges else str(policy),
        kinds=kinds,
        pools=pools,
    )
    best = {query_id: set(result.best) for query_id, result in results.items() if result.best}
    labels = {pool.query_id: {pool.represent(pool.label)} for pool in pools if pool.label and pool.query_id in best}
    return LabelReport(
        results=results,
        version=version,
        new_labels=_pairing_record(best, outcomes),
        old_labels=_pairing_record(labels, outcomes) if labels else None,
        n_kept=sum(labels[query_id] <= best[query_id] for query_id in labels),
        n_with_label=len(labels),
        n_unvouched=sum(not pool.n_pairs and not pool.is_settled for pool in pools),
        replay=replay,
        p_best=_p_best(results, pools, counted),
    )


def _p_best(
    results: Mapping[str, TournamentResult], pools: Sequence[Pool], outcomes: Mapping[Pair, PairOutcome]
) -> dict[str, dict[str, float]]:
    """For each label how probable it is that it is the best of its pool, by Bradley–Terry; none where nobody judged."""
    played = [_with_best(pool, results[pool.query_id].best) for pool in pools if results[pool.query_id].best]
    found = item_strengths([pool for pool in played if pool.n_pairs], outcomes, draws=DRAWS)
    return {
        query_id: {item: p for item, p in zip(each.items, each.p_best, strict=True) if item in results[query_id].best}
        for query_id, each in found.items()
        if each.n_judgments
    }


def _with_best(pool: Pool, best: Sequence[str]) -> Pool:
    """The pool, with a challenger that has come to be best."""
    return replace(pool, items=tuple(sorted({*pool.items, *best})))


def _pairing_record(labels: Mapping[str, set[str]], outcomes: Mapping[Pair, PairOutcome]) -> PairingRecord:
    wins = n = 0
    for pair, outcome in outcomes.items():
        chosen = labels.get(pair.query_id, ())
        if (pair.a in chosen) != (pair.b in chosen) and outcome.is_decided:
            n += 1
            wins += outcome.winner in chosen
    return PairingRecord(wins=wins, n=n)


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
        Fact("labels", lambda found: {query_id: each.best for query_id, each in found.results.items() if each.best}),
        "p_best",
        Fact("undecided", lambda found: [query_id for query_id, each in found.results.items() if not each.best]),
        Fact("missing_pairs", lambda found: [(pair.query_id, pair.a, pair.b) for pair in found.missing]),
        Facts("wins_of_new_labels", ("wins n",), of="new_labels"),
    )

    results: Mapping[str, TournamentResult]
    version: PreferenceQrels
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

    @cached_property
    def sizes(self) -> dict[int, int]:
        """How many queries have so many best answers; 0 are the undecided."""
        counted = Counter(len(result.best) for result in self.results.values())
        return {size: counted[size] for size in sorted(counted)}

    @property
    def missing(self) -> tuple[Pair, ...]:
        """The pairs to ask for before every query is decided."""
        return tuple(pair for result in self.results.values() for pair in result.missing)

    @property
    def sentence(self) -> str:
        manifest = self.version.manifest
        single = self.sizes.get(1, 0)
        several = manifest.n_queries - single
        said = [f"{say_queries(single)} with one best answer"]
        if several:
            said.append(f"{several:,} with several that win over each other in a circle or tie")
        undecided = f" {say_queries(manifest.n_undecided)} undecided." if manifest.n_undecided else ""
        return f"{say_count(manifest.n_labels, 'label')}: {' and '.join(said)}.{undecided}"

    @property
    def table(self) -> Table:
        rows = tuple(
            ("undecided" if size == 0 else str(size), f"{n:,}", f"{size * n:,}") for size, n in self.sizes.items()
        )
        total = ("all", f"{len(self.results):,}", f"{self.version.manifest.n_labels:,}")
        return Table(header=("best answers", "queries", "labels"), rows=(*rows, total), numeric=frozenset({0, 1, 2}))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._say_notes())

    def _say_notes(self) -> Iterator[str]:
        yield _say_record("The new labels", self.new_labels)
        if self.old_labels is not None:
            yield _say_record("The labels the pools came with", self.old_labels)
            yield f"In {self.n_kept:,} of {say_queries(self.n_with_label)} the old label is among the best answers."
        chances = [chance for labels in self.p_best.values() for chance in labels.values()]
        if chances:
            sure = show_number(fmean(chances), 2)
            yield f"How sure: a label with judged pairs is the best of its pool with P = {sure} (Bradley–Terry, mean)."
        manifest = self.version.manifest
        if manifest.incomplete:
            yield (
                f"Incomplete: {say_queries(len(manifest.incomplete))} decided although pairs were not judged; "
                "an item without judged pairs counts as winning none."
            )
        if self.n_unvouched:
            yield f"No label for {say_queries(self.n_unvouched)} of one answer that is no label: nobody judged it."
        if manifest.n_undecided > self.n_unvouched:
            asked = sum(len(result.missing) for result in self.results.values() if not result.best)
            go_without = "" if manifest.incomplete else "; --allow-incomplete goes without"
            yield f"To decide the others, {say_count(asked, 'pair')} must be judged{go_without}."
        replay = self.replay
        if replay.n_won or replay.n_lost or replay.n_open:
            yield f"Challenges: {replay.n_won:,} won, {replay.n_lost:,} lost, {replay.n_open:,} open."

    @property
    def explanation(self) -> Explanation:
        is_weighted = self.version.manifest.policy.startswith(VotePolicy.DAWID_SKENE)
        votes = "its votes, weighted by assessor," if is_weighted else "the majority of its votes"
        return Explanation(
            how=(
                f"Each pair of a pool is decided by {votes} and the answers with the most pairs won meet again until "
                "one is left, or several with as many wins each, which all become labels (Arabzadeh et al. 2021). How "
                "sure a label is comes from Bradley–Terry strengths of the answers in its pool."
            ),
            assumptions=(
                CAREFUL_VOTES,
                "The best answer is in the pool, where some run or the label put it.",
                "Votes are right more often than not; with few of them on a pair, some labels are wrong.",
            ),
        )

    @property
    def provenance(self) -> Mapping[str, object]:
        record = self.version.manifest.to_record()
        return {"toprung": record.pop("version"), **record}

    @property
    def _labelled(self) -> list[tuple[TournamentResult, str | None, float | None]]:
        """Each label with its chance to be the best; an undecided query once, without a label."""
        return [
            (result, doc_id, None if doc_id is None else self.p_best.get(query_id, {}).get(doc_id))
            for query_id, result in self.results.items()
            for doc_id in result.best or (None,)
        ]


def _say_record(whose: str, record: PairingRecord) -> str:
    return f"{whose} win {record.wins:,} of their {record.n:,} decided pairs ({show_share(record.share)})."
