"""How is a simulation laid out? A row for each rule, a row for each release, and what programs read of both."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from toprung.analyses.simulate.crowns import CrownRule
from toprung.analyses.simulate.figures import RuleFigures
from toprung.analyses.simulate.gains import known_gains
from toprung.analyses.simulate.gains_table import ACCOUNTS
from toprung.result import Column, Rows, Table, columns
from toprung.stats.models.monte_carlo import Mean
from toprung.stats.models.pair_effects import RunEffect
from toprung.stats.sequences.online import spell_gamma
from toprung.words.wording import say_count, show_interval, show_level, show_number, show_share

if TYPE_CHECKING:
    from toprung.analyses.simulate.find import Simulation

EFFECTS = {RunEffect.OVERALL: "all", RunEffect.RANKING: "ranking", RunEffect.ANSWERED: "answers"}
NEEDS_IMPROVEMENTS = ("missed (95%)", "wait", "regret")


RULE_LABELS = {
    "score": "best score",
    "naive": "measure, uncorrected",
    "measure": "measure",
    "no_harm": "no harm",
    "both": "both",
}


def name_rule(rule: CrownRule) -> str:
    """As a table shows it."""
    return RULE_LABELS[rule.name]


def rule_table(simulation: Simulation) -> Table:
    """One row a rule; what improvements are needed for is left out without any."""
    header = ("rule", "gamma", "false crowns (95%)", "missed (95%)", "wait", "regret", "last level")
    hidden = () if simulation.setting.improvements else NEEDS_IMPROVEMENTS
    shown = [i for i, name in enumerate(header) if name not in hidden]
    rows = [
        (
            *_name_cells(each),
            _show_shares(each.false),
            _show_shares(each.missed),
            say_wait(each.wait),
            show_number(each.regret.estimate, 4),
            "" if math.isnan(each.last_level) else show_level(each.last_level),
        )
        for each in simulation.rules
    ]
    return Table(
        header=tuple(header[i] for i in shown),
        rows=tuple(tuple(row[i] for i in shown) for row in rows),
        numeric=frozenset(place for place, i in enumerate(shown) if i >= 2),
    )


def gain_table(simulation: Simulation) -> Table:
    """What each rule missed, a column for each gain."""
    gains = simulation.setting.distinct_gains
    return Table(
        header=("rule", "gamma", *(f"of {gain:g} (95%)" for gain in gains)),
        rows=tuple(
            (*_name_cells(each), *(_show_shares(each.missed_by_gain[gain]) for gain in gains))
            for each in simulation.rules
        ),
        numeric=frozenset(range(2, 2 + len(gains))),
    )


def seen_table(simulation: Simulation) -> Table:
    """What a claim could see under each rule that has levels, a column for each claim looked at."""
    rules = [each for each in simulation.rules if each.smallest_gains]
    claims = list(rules[0].smallest_gains)
    return Table(
        header=("rule", "gamma", *(f"claim {t}" for t in claims)),
        rows=tuple((*_name_cells(each), *(show_number(each.smallest_gains[t], 4) for t in claims)) for each in rules),
        numeric=frozenset(range(2, 2 + len(claims))),
    )


def power_table(simulation: Simulation) -> Table:
    """What passes, a column for each claim looked at."""
    claims = list(dict.fromkeys(each.t for each in simulation.power))
    rows = dict[tuple[str, str, str], list[str]]()
    for each in simulation.power:
        key = name_rule(each.rule), EFFECTS[each.effect], f"{each.gain:g}"
        rows.setdefault(key, []).append(show_share(each.passed.estimate))
    return Table(
        header=("rule", "better in", "gain", *(f"claim {t}" for t in claims)),
        rows=tuple((*key, *shares) for key, shares in rows.items()),
        numeric=frozenset(range(2, 3 + len(claims))),
    )


def release_table(simulation: Simulation) -> Table:
    """One row a release."""
    rows = tuple(
        (
            each.release.spelling,
            f"{show_number(each.public.estimate, 4)} ({show_interval(each.public.low, each.public.high, 4)})",
            show_number(each.largest, 4),
            show_number(each.hidden.estimate, 4),
            f"{each.answers:,.0f} of {simulation.setting.attack:,}",
            each.attack,
        )
        for each in simulation.releases
    )
    header = ("release", "too good by (95%)", "largest", "final run", "answers", "attack")
    return Table(header=header, rows=rows, numeric=frozenset({1, 2, 3, 4}))


def gains_table(simulation: Simulation) -> Table:
    """One row a release, by the number of accounts; looked up, not simulated again."""
    setting, measure = simulation.setting, simulation.measure
    found = [
        (each.release, known_gains(each.release, setting.queries, measure=measure)) for each in simulation.releases
    ]
    return Table(
        header=("release", *(say_count(each, "account") for each in ACCOUNTS), "simulated as"),
        rows=tuple(
            (release.spelling, *(show_number(gain, 3) for gain in gains.by_accounts.values()), gains.simulated_as)
            for release, gains in found
        ),
        numeric=frozenset(range(1, 1 + len(ACCOUNTS))),
    )


def _name_cells(figures: RuleFigures) -> tuple[str, str]:
    rule = figures.rule
    return name_rule(rule), "" if rule.gamma is None else spell_gamma(rule.gamma)


def _show_shares(mean: Mean) -> str:
    return f"{show_share(mean.estimate)} ({show_share(mean.low)} to {show_share(mean.high)})"


def say_wait(wait: float) -> str:
    return "never" if math.isinf(wait) else show_number(wait, 0)


def _mean(name: str, path: str) -> tuple[Column, ...]:
    return columns(float, f"{name}={path}.estimate {name}_low={path}.low {name}_high={path}.high")


RULE_ROWS = Rows(
    "rules",
    (
        Column("rule", str, "rule.name"),
        Column("gamma", str, lambda each: None if each.rule.gamma is None else spell_gamma(each.rule.gamma)),
        Column("n", int, "false.n"),
        Column("crowns_per_board", float, "crowns"),
        *_mean("false_crown_share", "false"),
        Column("false_crowns_per_board", float, "false_per_board"),
        Column("n_improvements", int, "improvements"),
        *_mean("missed_share", "missed"),
        *columns(float, "median_wait=wait last_level"),
        *_mean("regret", "regret"),
        Rows("missed_by_gain", ("gain=0 n=1.n", *_mean("missed_share", "1")), of="missed_by_gain.items()"),
        Rows("smallest_gains", ("claim=0 gain=1",), of="smallest_gains.items()"),
    ),
)
"""The wait is null where it is "never", too."""
POWER_ROWS = Rows(
    "power",
    (
        Column("rule", str, "rule.name"),
        Column("gamma", str, lambda each: spell_gamma(each.rule.gamma)),
        Column("effect", str),
        Column("gain", float),
        Column("claim", int, "t"),
        Column("n", int, "passed.n"),
        *_mean("passed_share", "passed"),
    ),
)
RELEASE_ROWS = Rows(
    "releases",
    (
        Column("release", str, "release.spelling"),
        Column("n", int, "public.n"),
        Column("attack", str),
        *_mean("inflation", "public"),
        Column("inflation_largest", float, "largest"),
        *_mean("final_run_inflation", "hidden"),
        Column("answers", float),
    ),
)
