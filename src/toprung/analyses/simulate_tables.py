"""How is a simulation laid out? A row for each rule, a row for each release, and records of both."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from toprung.analyses.simulate_crowns import CrownRule
from toprung.analyses.simulate_figures import Mean, ReleaseFigures, RuleFigures
from toprung.result import Table
from toprung.stats.online import Gamma, PlannedGamma, PowerLawGamma, QuadraticGamma
from toprung.stats.release import FullRelease, Ladder, ParameterFreeLadder, RoundedRelease, ScoreRelease
from toprung.wording import show_interval, show_level, show_number, show_share

if TYPE_CHECKING:
    from toprung.analyses.simulate import Simulation

NEEDS_IMPROVEMENTS = ("missed", "wait", "regret")


def name_rule(rule: CrownRule, *, has_ranks: bool = True) -> str:
    """As a table shows it."""
    asks = "no harm" if has_ranks else "paired t"
    return {
        "score": "highest score",
        "naive": f"{asks}, uncorrected",
        "no_harm": f"{asks}, fallback",
        "spending": f"{asks}, spending",
        "significant": "significant, fallback",
    }[rule.name]


def name_release(release: ScoreRelease) -> str:
    """As a table shows it.

    >>> [name_release(each) for each in (RoundedRelease(), Ladder(step=0.02), ParameterFreeLadder())]
    ['3 digits', 'Ladder, step 0.02', 'Ladder without a step']
    """
    match release:
        case FullRelease():
            return "full"
        case RoundedRelease(digits=digits):
            return f"{digits} digit{'' if digits == 1 else 's'}"
        case Ladder(step=step):
            return f"Ladder, step {step:g}"
        case ParameterFreeLadder():
            return "Ladder without a step"
        case _:
            return repr(release)


def name_gamma(gamma: Gamma) -> str:
    """As the command line spells it.

    >>> name_gamma(PlannedGamma(claims=20)), name_gamma(PowerLawGamma(exponent=1.5))
    ('planned:20', 'power:1.5')
    """
    match gamma:
        case QuadraticGamma():
            return "quadratic"
        case PowerLawGamma(exponent=exponent):
            return f"power:{exponent:g}"
        case PlannedGamma(claims=claims):
            return f"planned:{claims}"
        case _:
            return repr(gamma)


def rule_table(simulation: Simulation) -> Table:
    """One row a rule; what improvements are needed for is left out without any."""
    header = ("rule", "gamma", "false crowns (95%)", "per board", "missed", "wait", "last level", "regret")
    hidden = () if simulation.setting.improvements else NEEDS_IMPROVEMENTS
    shown = [i for i, name in enumerate(header) if name not in hidden]
    has_ranks = simulation.model.ranks is not None
    rows = [_rule_row(each, has_ranks) for each in simulation.rules]
    return Table(
        header=tuple(header[i] for i in shown),
        rows=tuple(tuple(row[i] for i in shown) for row in rows),
        numeric=frozenset(place for place, i in enumerate(shown) if i >= 2),
    )


def _rule_row(figures: RuleFigures, has_ranks: bool) -> tuple[str, ...]:
    rule, false = figures.rule, figures.false
    return (
        name_rule(rule, has_ranks=has_ranks),
        "" if rule.gamma is None else name_gamma(rule.gamma),
        f"{show_share(false.estimate)} ({show_share(false.low)} to {show_share(false.high)})",
        show_number(figures.false_per_board, 2),
        show_share(figures.missed),
        say_wait(figures.wait),
        "" if math.isnan(figures.last_level) else show_level(figures.last_level),
        show_number(figures.regret, 4),
    )


def say_wait(wait: float) -> str:
    return "never" if math.isinf(wait) else show_number(wait, 0)


def release_table(simulation: Simulation) -> Table:
    """One row a release."""
    header = ("release", "inflation (95%)", "largest", "final run", "answers", "attack")
    rows = tuple(
        (
            name_release(each.release),
            show_mean(each.public),
            show_number(each.largest, 4),
            show_number(each.hidden.estimate, 4),
            f"{each.answers:,.0f} of {simulation.setting.attack:,}",
            each.attack,
        )
        for each in simulation.releases
    )
    return Table(header=header, rows=rows, numeric=frozenset({1, 2, 3, 4}))


def show_mean(mean: Mean) -> str:
    return f"{show_number(mean.estimate, 4)} ({show_interval(mean.low, mean.high, 4)})"


def record_rule(figures: RuleFigures) -> dict[str, object]:
    """Every figure of a rule by its column; the wait is null where it is "never", too."""
    rule, false = figures.rule, figures.false
    return {
        "policy": rule.name,
        "gamma": None if rule.gamma is None else name_gamma(rule.gamma),
        "n": false.n,
        "crowns_per_board": figures.crowns,
        "false_crown_share": false.estimate,
        "false_crown_share_low": false.low,
        "false_crown_share_high": false.high,
        "false_crowns_per_board": figures.false_per_board,
        "n_improvements": figures.improvements,
        "missed_share": figures.missed,
        "median_wait": figures.wait,
        "last_level": figures.last_level,
        "regret": figures.regret,
    }


def record_release(figures: ReleaseFigures) -> dict[str, object]:
    """Every figure of a release by its column."""
    return {
        "policy": name_release(figures.release),
        "n": figures.public.n,
        "attack": figures.attack,
        "inflation": figures.public.estimate,
        "inflation_low": figures.public.low,
        "inflation_high": figures.public.high,
        "inflation_largest": figures.largest,
        "final_run_inflation": figures.hidden.estimate,
        "final_run_inflation_low": figures.hidden.low,
        "final_run_inflation_high": figures.hidden.high,
        "answers": figures.answers,
    }
