"""What does a budget buy? An adaptive plan carried out on these pools with made votes, before anyone is paid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from toprung.data.judgments import Pair
from toprung.errors import InputError
from toprung.labels.doubt.prior import StrengthPrior, estimate_prior
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.plans.price import show_money
from toprung.labels.plans.simulate import LEAST_POOLS, VotesFound, simulate_all_pairs, simulate_budgets
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome
from toprung.result import Cell, Column, Explanation, Fact, Result, Rows, columns
from toprung.words.assumptions import CAREFUL_VOTES
from toprung.words.wording import say_queries, show_share

SHARES = (Decimal("0.5"), Decimal(1), Decimal(2))
"""Of the budget."""


@dataclass(frozen=True, kw_only=True)
class BudgetRow:
    """What is spent, and what it finds."""

    what: str
    money: Decimal
    """That may be spent."""
    cost: Decimal
    """That is: queries which are sure or given up take no more."""
    found: VotesFound


def forecast_budget(
    plan: AdaptivePlan,
    pools: Iterable[Pool],
    outcomes: Mapping[Pair, PairOutcome] | None = None,
    *,
    prior: StrengthPrior | None = None,
    made: int = LEAST_POOLS,
    seed: int = 0,
) -> BudgetForecast:
    """What half the budget, the budget and twice the budget buy, beside one vote on each pair and three.

    Parameters
    ----------
    plan
        Whose budget it is; without one, as much as a vote on each pair costs.
    pools, outcomes
        The candidates, and the votes so far: what was paid for them is not counted.
    prior
        Of the strengths; estimated from these votes unless it is known.
    made, seed
        For how many queries votes are made up, or a few more; and of these votes.

    """
    several = [pool for pool in pools if pool.n_pairs]
    if not several:
        raise InputError("Found no pool of two answers or more; expected something to compare.")
    voted = outcomes or {}
    known = prior or estimate_prior(voted)
    n_pairs = sum(pool.n_pairs for pool in several)
    budget = plan.price.total(n_pairs) if plan.budget is None else plan.budget
    if plan.price.per_task == 0:
        raise InputError("Found tasks that cost nothing; expected a reward, or a fee, to say what money buys.")
    rows = _adaptive_rows(plan, several, voted, budget, prior=known, made=made, seed=seed)
    fixed = [
        _fixed_row(plan, several, voted, votes, n_pairs, prior=known, made=made, seed=seed)
        for votes in ((1, 3) if not voted else ())
    ]
    return BudgetForecast(
        rows=(*rows, *fixed), plan=plan, budget=budget, prior=known, n_queries=len(several), made=made, seed=seed
    )


def _adaptive_rows(
    plan: AdaptivePlan,
    pools: Sequence[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    budget: Decimal,
    *,
    prior: StrengthPrior,
    made: int,
    seed: int,
) -> list[BudgetRow]:
    price = plan.price
    sums = [share * budget for share in SHARES]
    votes = [int(money // price.per_task) * price.pairs_per_task / len(pools) for money in sums]
    found = simulate_budgets(plan, pools, outcomes, votes, prior=prior, made=made, seed=seed)
    names = ("half the budget", "the budget", "twice the budget")
    return [
        BudgetRow(what=name, money=money, cost=min(money, price.total(round(each.n_votes * len(pools)))), found=each)
        for name, money, each in zip(names, sums, found, strict=True)
    ]


def _fixed_row(
    plan: AdaptivePlan,
    pools: Sequence[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    votes: int,
    n_pairs: int,
    *,
    prior: StrengthPrior,
    made: int,
    seed: int,
) -> BudgetRow:
    most = votes * max(pool.n_pairs for pool in pools)
    cost = plan.price.total(votes * n_pairs, most_of_a_query=most)
    found = simulate_all_pairs(plan, pools, outcomes, votes=votes, prior=prior, made=made, seed=seed)
    what = "each pair once" if votes == 1 else f"each pair {votes} times"
    return BudgetRow(what=what, money=cost, cost=cost, found=found)


@dataclass(frozen=True, kw_only=True, repr=False)
class BudgetForecast(Result):
    """What each budget buys: how many queries get a best answer that is sure, and how many the right one."""

    FIGURES = (
        Rows(
            "budgets",
            of="rows",
            columns=(
                Column("what", str),
                Column("money", float),
                Column("cost", float),
                *columns(
                    float, "votes_per_query=found.n_votes sure=found.sure right=found.right given_up=found.hopeless"
                ),
            ),
        ),
        "target=plan.target most_votes=plan.most_votes n_queries",
        Fact("budget", lambda self: float(self.budget)),
    )
    MADE_FROM = ("seed made penalty=prior.penalty n_queries",)

    rows: tuple[BudgetRow, ...]
    plan: AdaptivePlan
    budget: Decimal
    prior: StrengthPrior
    n_queries: int
    made: int
    seed: int

    @property
    def sentence(self) -> str:
        half, once, twice = self.rows[:3]
        others = ", ".join(f"{show_money(row.money)} in {row.found.sure:.0%}" for row in (half, twice))
        return (
            f"{show_money(once.money)} would make the best answer {self.plan.target:.0%} sure or more in "
            f"{once.found.sure:.0%} of {say_queries(self.n_queries)}, {others}."
        )

    def cells(self) -> Sequence[Cell]:
        return (
            Cell("", lambda row: row.what),
            Cell("may cost", lambda row: show_money(row.money), is_number=True),
            Cell("costs", lambda row: show_money(row.cost), is_number=True),
            Cell("votes a query", lambda row: f"{row.found.n_votes:.1f}", is_number=True),
            Cell("sure", lambda row: show_share(row.found.sure), is_number=True),
            Cell("right", lambda row: show_share(row.found.right), is_number=True),
            Cell("given up", lambda row: show_share(row.found.hopeless), is_number=True),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        known = (
            f"λ = {self.prior.penalty:.2g}, by the votes of {say_queries(self.prior.n_queries)}"
            if self.prior.n_queries
            else f"λ = {self.prior.penalty:g}, for there are too few votes to estimate it"
        )
        return (
            f"Sure: P(best) ≥ {self.plan.target:g}. Right: the likeliest answer is the best in truth. Given up: not "
            "sure, and more votes would not help.",
            f"Plan: {self.plan.say()}. Cost: {self.plan.price.say()}.",
            self.plan.price.say_source(),
            f"Strengths: {known}.",
            f"Made up for {self.made:,} queries or a few more: shares have a standard error of up to "
            f"{50 / self.made**0.5:.1f} points.",
            "Reckoned with full tasks; when few queries are left they hold fewer pairs, and the money buys less.",
            "Work that fails a test question is done again, and costs again.",
        )

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                "For each pool strengths are drawn that fit the votes so far, and votes are made up by them (Bradley "
                "and Terry 1952). The plan chooses pairs by top-two sampling (Russo 2020) and stops a query when it is "
                "sure, has had its most votes, or would become sure in less than 5% of cases with all that are left."
            ),
            assumptions=(
                CAREFUL_VOTES,
                "One strength for each answer says it all: preferences do not go in circles.",
                "Strengths spread as λ says; without votes that is a guess, and a pilot of 20 queries tells more.",
            ),
        )

    def __repr__(self) -> str:
        return f"BudgetForecast({show_money(self.budget)}, {self.n_queries:,} queries)"
