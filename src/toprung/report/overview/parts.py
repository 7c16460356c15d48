"""Which questions does a report answer, and in which order? A plan for each: what it needs, how it is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toprung.analyses.material import Material
from toprung.data.run_metadata import Metadata
from toprung.report.overview import answers, needs
from toprung.report.overview.needs import Need
from toprung.result import Result


@dataclass(frozen=True, kw_only=True)
class PartPlan:
    """A question of the report: what it needs, and how it is answered."""

    key: str
    question: str
    needs: tuple[Need, ...] = ()
    find: Callable[[Material], Result]

    def lacks(self, material: Material) -> str | None:
        """What is to be given for it to be answered; None if everything is there."""
        return next((reason for need in self.needs if (reason := need(material)) is not None), None)


PLANS: tuple[PartPlan, ...] = (
    PartPlan(key="board", question="Where does every run stand?", find=lambda material: material.board),
    PartPlan(
        key="timeline",
        question="Who held the top over time?",
        needs=(needs.dates, needs.leading_measure),
        find=answers.find_timeline,
    ),
    PartPlan(
        key="comparison",
        question="How does every run compare with the top?",
        needs=(needs.two_runs,),
        find=answers.compare_with_holder,
    ),
    PartPlan(
        key="baseline",
        question="How does every run compare with the baseline?",
        needs=(needs.two_runs, needs.baseline),
        find=answers.compare_with_baseline,
    ),
    PartPlan(
        key="challenger",
        question="What sets the strongest challenger apart from the top?",
        needs=(needs.two_runs,),
        find=answers.compare_with_challenger,
    ),
    PartPlan(
        key="significance",
        question="Which runs differ beyond chance?",
        needs=(needs.two_runs,),
        find=lambda material: material.grid,
    ),
    PartPlan(
        key="stability",
        question="Would the same runs lead on other queries?",
        needs=(needs.two_runs,),
        find=lambda material: material.stability,
    ),
    PartPlan(
        key="agreement",
        question="Would two halves of the queries say the same?",
        needs=(needs.two_runs, needs.enough_queries, needs.few_enough_pairs),
        find=answers.find_agreement,
    ),
    PartPlan(key="scales", question="What may be done with the values of the measure?", find=answers.find_scale),
    PartPlan(key="power", question="What could these queries show?", needs=(needs.two_runs,), find=answers.find_power),
    PartPlan(
        key="holdout",
        question="Does it hold on private queries?",
        needs=(needs.private_labels, needs.two_runs),
        find=answers.find_holdout,
    ),
    PartPlan(
        key="policy",
        question="Did submissions keep to the policy?",
        needs=(needs.teams_and_dates,),
        find=answers.find_policy,
    ),
    PartPlan(
        key="relabel",
        question="What do other labels do to the order?",
        needs=(needs.new_labels,),
        find=answers.find_relabelled,
    ),
    PartPlan(
        key="labels",
        question="Which answers do assessors find best?",
        needs=(needs.judging_effort,),
        find=answers.find_labels,
    ),
    PartPlan(
        key="winratio",
        question="Whose first answers do assessors prefer?",
        needs=(needs.judging_effort,),
        find=answers.find_win_ratios,
    ),
    PartPlan(
        key="audit",
        question="Are a run's answers better than the labels?",
        needs=(needs.judging_effort,),
        find=answers.find_audit,
    ),
    PartPlan(
        key="judged-pools",
        question="How large are the pools that were judged?",
        needs=(needs.judging_effort,),
        find=answers.find_judged_pools,
    ),
    PartPlan(
        key="pools",
        question="Which answers deserve a look?",
        needs=(needs.run_files, needs.pools_not_judged),
        find=answers.find_pools,
    ),
    PartPlan(
        key="measures",
        question="What do other measures say, and how much was judged?",
        needs=(needs.run_files,),
        find=answers.find_other_measures,
    ),
    PartPlan(
        key="cost",
        question="Which runs are worth their cost?",
        needs=(needs.of_metadata("cost", Metadata.costs), needs.two_runs),
        find=answers.find_cost_frontier,
    ),
    PartPlan(
        key="latency",
        question="Which runs are worth their time?",
        needs=(needs.of_metadata("latency", Metadata.latencies), needs.two_runs),
        find=answers.find_latency_frontier,
    ),
    PartPlan(
        key="seeds",
        question="How much of a score is the seed?",
        needs=(needs.several_seeds,),
        find=answers.find_seeds,
    ),
)
"""In the order in which they tell most."""
