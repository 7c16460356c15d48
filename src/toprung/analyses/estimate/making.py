"""What follows once scores are corrected? Who may be best in three ways, and all that an estimate tells."""

from __future__ import annotations

from dataclasses import dataclass, replace

from toprung.analyses.estimate.result import Estimate, LabelDigests
from toprung.analyses.estimate.rows import ThreeWays
from toprung.analyses.estimate.sampling import SampleEvidence
from toprung.boards.engine.top_group import find_top_group
from toprung.data.matrices import ScoreTable
from toprung.stats.inputs import Floats
from toprung.stats.models.corrected import CorrectedScores, worth_in_queries


@dataclass(frozen=True, eq=False, kw_only=True)
class Sources:
    """People's scores of the queries that count, the model's of all, and what came of both."""

    people: ScoreTable
    model: ScoreTable
    judged: tuple[str, ...]
    """The queries that people judged, in order."""
    scores: CorrectedScores
    """Of these."""
    bias: Floats
    """The model's scores less people's, where both count."""


def make_estimate(
    sources: Sources,
    sample: SampleEvidence,
    *,
    labels: LabelDigests | None = None,
    alpha: float,
    seed: int,
    n_only_human: int = 0,
) -> Estimate:
    """Compare all runs by the corrected scores, by people's and by the model's."""
    people, model, scores = sources.people, sources.model, sources.scores
    n_human = len(sources.judged)
    corrected = replace(people, query_ids=sources.judged, values=scores.values)
    ways = ThreeWays(
        runs=people.runs,
        scores=scores,
        bias=sources.bias,
        model=model,
        top=find_top_group(corrected, alpha=alpha, seed=seed),
        top_of_people=find_top_group(people, alpha=alpha, seed=seed),
        top_of_model=find_top_group(model, alpha=alpha, seed=seed),
        confidence=1 - alpha,
    )
    most = round(n_human / (1 - scores.unjudged))
    return Estimate(
        measure=people.measure,
        rows=ways.make_rows(),
        ways=ways,
        model_alone=ways.judge_model(),
        worth=worth_in_queries(scores.people, scores.values, most=most, confidence=1 - alpha),
        n_human=n_human,
        n_queries=len(model.query_ids),
        n_without_relevant=n_human - len(people.query_ids),
        n_only_human=n_only_human,
        sample=sample,
        alpha=alpha,
        seed=seed,
        labels=labels,
        digest=corrected.digest,
        remarks=(*sample.remarks, *dict.fromkeys((*people.remarks, *model.remarks))),
    )
