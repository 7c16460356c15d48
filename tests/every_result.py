"""One small result of every kind, with whatever names: for tests of what must hold for all of them.

``make_results(Cast(...))`` gives them by what was asked, ``make_overview`` all that a report has. A result class that
none of them is of fails a test in tests/report/test_latex_structure.py, so that a new analysis is added here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from toprung.analyses.agreement.find import agreement
from toprung.analyses.best_answers.find import derive_labels
from toprung.analyses.budget.find import forecast_budget
from toprung.analyses.challenge_interval.find import challenge_interval
from toprung.analyses.compare.find import all_pairs_of, compare
from toprung.analyses.diagnose.find import diagnose
from toprung.analyses.estimate.find import estimate
from toprung.analyses.frontier.find import frontier
from toprung.analyses.gate.find import gate
from toprung.analyses.gate.state import GateState
from toprung.analyses.holdout.find import holdout
from toprung.analyses.holdout.published import score_holdout
from toprung.analyses.judging_cost.find import estimate_cost
from toprung.analyses.leaderboard.find import leaderboard
from toprung.analyses.leave_one_out.find import leave_one_out
from toprung.analyses.next_pairs.find import report_next_pairs
from toprung.analyses.order_agreement.find import order_agreement
from toprung.analyses.outcomes.find import report_outcomes
from toprung.analyses.policy.find import audit_policy
from toprung.analyses.pools.find import describe_pools, remarks_on_inputs
from toprung.analyses.power.find import power
from toprung.analyses.power.plan import plan
from toprung.analyses.queries.find import queries
from toprung.analyses.relabel.find import rescore
from toprung.analyses.rules.find import compare_rules
from toprung.analyses.run_strengths.find import run_strengths
from toprung.analyses.sample_check.find import check_sample_order
from toprung.analyses.scales.find import check_scale, check_scales
from toprung.analyses.scales.observed import check_observed_scale
from toprung.analyses.seeds.find import seeds
from toprung.analyses.significance.find import significance
from toprung.analyses.simulate.find import simulate
from toprung.analyses.stability.find import stability
from toprung.analyses.standings.find import standings
from toprung.analyses.table.find import table
from toprung.analyses.timeline.find import timeline
from toprung.analyses.timeline.published import score_timeline
from toprung.analyses.win_ratio.find import win_ratios
from toprung.data.formats.judgments.files import read_judgments
from toprung.data.formats.runs.validate import validate_run
from toprung.data.judgments import Choice, Judgment, Judgments
from toprung.data.matrices import FirstRanks
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.data.run_metadata import Metadata, RunMetadata
from toprung.data.submissions import (
    DatedEntry,
    PublishedBoard,
    Submissions,
    SubmittedRun,
    TwiceScored,
    TwiceScoredEntry,
)
from toprung.labels.best.challenges import find_challenges
from toprung.labels.best.upkeep import settle_challenges
from toprung.labels.effort.effort import Effort
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.pools.pool import build_pools
from toprung.labels.pools.store import add_pools
from toprung.labels.tasks.make import plan_tasks
from toprung.labels.votes.audit import audit, plan_audit
from toprung.labels.votes.importing import import_judgments
from toprung.labels.votes.outcomes import resolve_pairs
from toprung.report.overview.find import report
from toprung.report.overview.result import Overview
from toprung.result import Result
from toprung.scoring.evaluate import evaluate
from toprung.workers import IN_PROCESS

N_QUERIES = 12
# One column a run: the first finds less and later than the second; the third is much like the first.
RANKS = np.array([[4, 1, 4], [0, 2, 3], [9, 1, 8], [3, 3, 2], [0, 1, 0], [7, 2, 9]] * 2, dtype=np.int32)


@dataclass(frozen=True, kw_only=True)
class Cast:
    """The names in all results. Each is to be a text that no other begins with, so that a test can look for it."""

    runs: tuple[str, str, str] = ("holder", "finder", "third")
    team: str = "Halden"
    query: str = "q"
    """Every query's id begins with it."""
    document: str = "d"

    def query_ids(self) -> tuple[str, ...]:
        return tuple(f"{self.query}{number:02}" for number in range(N_QUERIES))


def answers_all(first: str, second: str) -> FirstRanks:
    """The second answers every one of twelve queries, the first none."""
    query_ids = tuple(f"q{number}" for number in range(12))
    return FirstRanks(
        query_ids=query_ids, runs=(first, second), values=np.array([[0, 1]] * 12, dtype=np.int32), cutoff=10
    )


def make_results(cast: Cast | None = None) -> dict[str, Result]:
    """Every kind of result but the overview, which takes longer; by what it is called, some in two ways of asking."""
    chosen = cast or Cast()
    return dict([*_of_scores(chosen), *_of_leaderboards(chosen), *_of_measures(), *_of_labels(chosen)])


def make_overview(cast: Cast | None = None) -> Overview:
    chosen = cast or Cast()
    return report(
        qrels_of(chosen),
        runs_of(chosen),
        metadata=metadata_of(chosen),
        trials=50,
        title=chosen.team,
        workers=IN_PROCESS,
    )


def ranks_of(cast: Cast) -> FirstRanks:
    return FirstRanks(query_ids=cast.query_ids(), runs=cast.runs, values=RANKS, cutoff=10)


def runs_of(cast: Cast) -> dict[str, Run]:
    """Runs with these ranks: documents of its own stand above the label, or alone where it is not found."""
    return {
        name: Run.from_dict(
            {
                query_id: _ranking(cast, column, int(rank))
                for query_id, rank in zip(cast.query_ids(), RANKS[:, column], strict=True)
            },
            name=name,
        )
        for column, name in enumerate(cast.runs)
    }


def _ranking(cast: Cast, column: int, rank: int) -> dict[str, float]:
    own = [f"{cast.document}-{column}-{place}" for place in range(max(rank, 2) - 1)]
    label = [f"{cast.document}-label"] if rank else []
    ranked = [*label, *own] if rank == 1 else [*own, *label]
    return {doc_id: float(-place) for place, doc_id in enumerate(ranked)}


def qrels_of(cast: Cast) -> Qrels:
    return Qrels.from_dict({query_id: {f"{cast.document}-label": 1} for query_id in cast.query_ids()})


def submissions_of(cast: Cast) -> Submissions:
    """Two of one team within a few days, the third of another with too long an embargo."""
    first, second, third = cast.runs
    entries = (
        SubmittedRun(run=first, team=cast.team, date=date(2021, 5, 1)),
        SubmittedRun(run=second, team=cast.team, date=date(2021, 5, 2)),
        SubmittedRun(run=third, team=f"{cast.team} 2", date=date(2021, 5, 3), embargo_until=date(2031, 1, 1)),
    )
    return Submissions(entries=entries)


def texts_of(cast: Cast) -> dict[str, Any]:
    """What queries and documents say, and a slice of all queries and one that is too small; names stand in them."""
    named, ids = f"{cast.team} {cast.runs[2]}", cast.query_ids()
    return {
        "queries": dict.fromkeys(ids, f"{named}?"),
        "docs": {f"{cast.document}-label": f"{named}.", f"{cast.document}-0-0": named},
        "slices": {named: dict.fromkeys(ids, cast.team), "few": dict.fromkeys(ids[:2], named)},
    }


def dates_of(cast: Cast) -> dict[str, date]:
    return {entry.run: entry.date for entry in submissions_of(cast).entries}


def metadata_of(cast: Cast) -> Metadata | None:
    """All that can be said of the runs; None where it is refused, for names of metadata have no control characters."""
    if any(each < " " or "\x7f" <= each <= "\x9f" for name in (*cast.runs, cast.team) for each in name):
        return None
    made = submissions_of(cast).entries
    rows = [
        RunMetadata(
            name=each.run,
            team=each.team,
            date=each.date,
            tags=(cast.team,),
            description=cast.document,
            cost=float(number),
            latency=10.0 * number,
            system=cast.query if number != 2 else "",
            seed=str(number),
        )
        for number, each in enumerate(made, start=1)
    ]
    return Metadata(entries=tuple(rows))


def _of_scores(cast: Cast) -> Iterator[tuple[str, Result]]:
    ranks, scores = ranks_of(cast), ranks_of(cast).reciprocal()
    first, second, third = cast.runs
    evaluation = evaluate(qrels_of(cast), runs_of(cast), ["RR@10", "ESL@10", "nDCG@10"])
    yield "evaluation", evaluation
    yield "query scores", evaluation.by_query()
    yield "comparison", compare(ranks, pairs=[(first, second)], resamples=50)
    yield "comparisons", compare(ranks, pairs=all_pairs_of(ranks.runs), resamples=50)
    yield "comparison of scores", compare(scores, pairs=[(first, second)], resamples=50)
    yield "comparisons of scores", compare(scores, resamples=50)
    yield "significance", significance(scores)
    yield "significance of a pair", significance(scores.select([first, third]))
    yield "paper table", table(evaluation)
    yield "paper table against a baseline", table([scores], baseline=first)
    yield "standings", standings(ranks)
    yield "standings by Lin et al. 2021", standings(ranks, rule="lin2021", submitted_at=dates_of(cast))
    yield "timeline", timeline(ranks, dates=dates_of(cast), baselines=[third])
    yield "timeline by score", timeline(ranks, rule="score")
    yield "timeline with a claim that passed", timeline(answers_all(first, second), rule="measure")
    yield "board", leaderboard(ranks, dates=dates_of(cast), teams={first: cast.team}, tags={second: (cast.team,)})
    yield "board of scores", leaderboard(scores)
    yield "frontier", frontier(scores, costs={first: 1.0, second: 2.0, third: 2.5})
    yield "gate", gate(scores.select([first, second]))
    remembered = GateState(measure=scores.measure, labels="sha256:0")
    yield "gate that cannot tell", gate(scores.select([first, third]), margin=0.01, state=remembered)
    yield "queries", queries(qrels_of(cast), runs_of(cast), "RR@10", a=first, b=second, **texts_of(cast))
    yield "queries of scores", queries(scores, a=first, b=third)
    yield "seeds", seeds(scores, systems={f"{cast.team} system": (first, third), second: (second,)})
    yield "stability", stability(scores, trials=50)
    conditions = {f"{cast.runs[0]} {each}": scores for each in ("public", "private")}
    yield "stability under conditions", stability(conditions, trials=50, follow=[first, second])
    yield "agreement", agreement(scores, splits=2)
    public, private = (
        scores.select_queries(part, name="part") for part in (cast.query_ids()[:8], cast.query_ids()[8:])
    )
    yield "holdout", holdout(public, {f"{cast.team} set": private}, submissions=submissions_of(cast))
    yield "holdout against a run", holdout(public, private, reference=first)
    yield "power", power(scores, difference=0.1, margin=0.2)
    yield "power against a run", power(scores, baseline=first)
    yield "observed scale", check_observed_scale(scores)
    yield "simulation", simulate(queries=50, submissions=5, boards=2, attack=5, attackers=2, pairs=2)
    yield "simulation like a pilot", simulate(queries=50, submissions=5, boards=2, attack=0, pilot=scores)


def _of_leaderboards(cast: Cast) -> Iterator[tuple[str, Result]]:
    entries = [
        DatedEntry(run_id=run, name=run, team=cast.team, date=when, score=0.3 + place / 10, line=place + 2)
        for place, (run, when) in enumerate(dates_of(cast).items())
    ]
    board = PublishedBoard(
        source=f"{cast.team}.csv",
        digest="sha256:0",
        score_column="RR",
        other_score_columns=(cast.runs[1],),
        entries=tuple(entries),
        n_without_date=1,
        n_without_score=0,
    )
    yield "score timeline", score_timeline(board)
    twice = [
        TwiceScoredEntry(label=entry.label, team=entry.team, public=entry.score, private=0.9 - entry.score)
        for entry in entries
    ]
    yield (
        "score holdout",
        score_holdout(
            TwiceScored(
                source=board.source,
                digest=board.digest,
                public_column="eval",
                private_column=cast.runs[0],
                entries=tuple(twice),
                n_one_sided=1,
                n_without_score=0,
            )
        ),
    )
    yield "policy", audit_policy(submissions_of(cast), runs_of(cast))
    yield "policy without runs", audit_policy(submissions_of(cast))


def _of_measures() -> Iterator[tuple[str, Result]]:
    yield "plan", plan(sd=0.5, queries=100, difference=0.1)
    yield "scale", check_scale("RR")
    yield "scales", check_scales(["RR", "P@3", "nDCG@3"])


def _votes(cast: Cast) -> Judgments:
    """Two on every pair of every pool, for the left side but for every fifth."""
    pools = build_pools(qrels_of(cast), runs_of(cast))
    rows = []
    for pool in pools:
        for pair in pool.pairs():
            for assessor in ("ann", "bob"):
                rows.append(
                    Judgment(
                        judgment_id=f"j{len(rows)}",
                        query_id=pair.query_id,
                        left=pair.a,
                        right=pair.b,
                        choice=Choice.LEFT if len(rows) % 5 else Choice.RIGHT,
                        assessor=assessor,
                        ms=1_000 + len(rows),
                    )
                )
    return Judgments.of(rows)


def _judged_twice(cast: Cast) -> tuple[Qrels, dict[str, Run]]:
    """People's labels of half of the queries, one of them without a relevant document and one that is theirs alone."""
    judged = [cast.query_ids()[number] for number in (0, 1, 4, 6, 9, 11)]
    labels = {query_id: {f"{cast.document}-label": int(query_id != judged[1])} for query_id in judged}
    return Qrels.from_dict(labels | {f"{cast.query} more": {f"{cast.document}-label": 1}}), runs_of(cast)


def _model_labels(cast: Cast) -> Qrels:
    """The model likes what the first run has on top, in every third query."""
    liked = ("label", "0-0", "label")
    return Qrels.from_dict(
        {query_id: {f"{cast.document}-{liked[row % 3]}": 1} for row, query_id in enumerate(cast.query_ids())}
    )


def _of_labels(cast: Cast) -> Iterator[tuple[str, Result]]:
    qrels, runs, votes = qrels_of(cast), runs_of(cast), _votes(cast)
    pools, outcomes = build_pools(qrels, runs), resolve_pairs(votes)
    yield "pools", describe_pools(pools, remarks=remarks_on_inputs(qrels, runs, pools))
    yield "cost", estimate_cost(100, n_judged=10)
    yield "outcomes", report_outcomes(votes, pools=pools)
    labels = derive_labels(votes, pools, parent=qrels)
    yield "labels", labels
    soft = derive_labels(votes, pools, parent=qrels, soft=True)
    yield "soft labels", soft
    yield "rules", compare_rules(votes, pools)
    yield "win ratios", win_ratios(outcomes, runs, qrels=qrels, pools=pools)
    yield "run strengths", run_strengths(outcomes, runs, pools=pools, resamples=50)
    name = cast.runs[1]
    yield "audit", audit(plan_audit(qrels, runs[name]), outcomes)
    yield "order agreement", order_agreement(runs, outcomes)
    yield "diagnosis", diagnose(votes, pools=pools, remarks=[f"{name} shares a family."])
    yield "next pairs", report_next_pairs(pools, outcomes, 3, plan=AdaptivePlan(target=0.99))
    yield "budget", forecast_budget(AdaptivePlan(budget=Decimal(5)), pools[:8], made=20)
    yield "estimate", estimate(*_judged_twice(cast), "RR@10", model=_model_labels(cast), human_sample="random")
    yield "relabelled", rescore(qrels, labels.version.qrels, runs)
    yield "relabelled softly", rescore(qrels, soft.version, runs)
    yield "leave one out", leave_one_out(pools, outcomes, runs)
    yield "sample", check_sample_order(qrels, runs, cast.query_ids()[:5])
    without = build_pools(qrels, {other: run for other, run in runs.items() if other != name})
    challenges = find_challenges(without, qrels, runs[name], name=name)
    settled = settle_challenges(qrels, challenges.challenges, {})
    yield "challenges", challenge_interval(qrels, challenges, settled, runs)
    with tempfile.TemporaryDirectory() as folder:
        yield from _of_files(cast, Path(folder))


def _of_files(cast: Cast, folder: Path) -> Iterator[tuple[str, Result]]:
    """Results about files, in a folder that may be gone when they are read."""
    state = Effort.open_or_create(folder / "state")
    add_pools(state, build_pools(qrels_of(cast), runs_of(cast)))
    yield "tasks", plan_tasks(state, per_task=4, golds_per_task=0)
    made = folder / "judgments.txt"
    made.write_text("t a b a\nt b c b\n")
    yield "imported", import_judgments(state, read_judgments(made))
    run = folder / "faulty.run"
    run.write_text(f"q1 Q0 a 1 1.0 t\nq1 Q0 {cast.document.split()[0]} 1 1.0\n")
    yield "validation", validate_run(run)
