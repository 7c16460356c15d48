"""What does a simulation say? Its sentence, and what to know of how it was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from toprung.analyses.simulate_figures import ReleaseFigures, RuleFigures
from toprung.analyses.simulate_tables import name_gamma, name_release, name_rule, show_mean
from toprung.analyses.timeline import say_gamma
from toprung.wording import list_names, say_count, show_number, show_share

if TYPE_CHECKING:
    from toprung.analyses.simulate import Simulation


def say_simulation(simulation: Simulation) -> str:
    """The first rule and release, and what stands against each of them."""
    said = f"{_say_submissions(simulation)}, {_say_rules(simulation)}"
    return f"{said}; {_say_releases(simulation)}." if simulation.releases else f"{said}."


def _say_submissions(simulation: Simulation) -> str:
    setting = simulation.setting
    better = {0: "none is", 1: "one is"}.get(setting.improvements, f"{setting.improvements} are")
    return f"With {setting.submissions:,} submissions of which {better} truly better"


def _say_rules(simulation: Simulation) -> str:
    rules = _first_and_protected(simulation.rules)
    has_ranks = simulation.model.ranks is not None
    crowned = [
        f"on {show_share(each.false.estimate)}{{}} by {name_rule(each.rule, has_ranks=has_ranks).replace(',', ' with')}"
        for each in rules
    ]
    boards = [f" of {simulation.setting.boards:,} boards", ""]
    said = " and ".join(part.format(of) for part, of in zip(crowned, boards, strict=False))
    missed = ""
    if simulation.setting.improvements:
        shares = " and ".join(show_share(each.missed) for each in rules)
        missed = f", which {'misses' if len(rules) == 1 else 'miss'} {shares} of the improvements"
    return f"a run that is no better is crowned {said}{missed}"


def _first_and_protected(rules: Sequence[RuleFigures]) -> list[RuleFigures]:
    """The first rule, and the first other one that holds its level."""
    holding = [each for each in rules[1:] if each.rule.gamma is not None] or list(rules[1:])
    return [rules[0], *holding[:1]]


def _say_releases(simulation: Simulation) -> str:
    first = simulation.releases[0]
    best = min(simulation.releases, key=lambda each: each.public.estimate)
    chosen = [first] if best is first else [first, best]
    lifts = " and ".join(f"by {show_number(each.public.estimate, 3)} under {_under(each)}" for each in chosen)
    return f"{simulation.setting.attack:,} adaptive runs lift a public score {lifts}"


def _under(figures: ReleaseFigures) -> str:
    name = name_release(figures.release)
    return "full release" if name == "full" else f"a {name.replace(', ', ' of ')}" if "Ladder" in name else name


def say_notes(simulation: Simulation) -> Iterator[str]:
    yield (
        "False crowns: boards with a crown for a run that is not truly better than the holder it replaced; "
        "per board: how many."
    )
    if simulation.setting.improvements:
        gains = list_names([f"{gain:g}" for gain in simulation.setting.gains])
        yield f"Missed: improvements, of {gains} in mean {simulation.measure}, that no holder matched before the next."
        yield "Wait: submissions until a holder did, the median. Regret: the best true quality less the last holder's."
    else:
        yield "Nothing is truly better here, so nothing can be missed; add improvements to see what a rule costs."
    yield from _say_levels(simulation)
    yield from _say_boards(simulation)
    yield from _say_attacks(simulation)


def _say_levels(simulation: Simulation) -> Iterator[str]:
    rules = [each.rule for each in simulation.rules]
    gammas = {name_gamma(rule.gamma): say_gamma(rule.gamma) for rule in rules if rule.gamma is not None}
    if gammas:
        said = "; ".join(f"{name} is {formula}" for name, formula in gammas.items())
        yield f"Gamma: {said}."
        yield (
            f"Last level: what the last claim of a board was held to, the median; all levels share "
            f"{simulation.setting.alpha:g}."
        )
    if any(rule.name == "naive" for rule in rules):
        facet = "Any facet" if simulation.model.ranks is not None else "A t-test"
        yield f"Uncorrected: {facet.lower()} at {simulation.setting.alpha:g} will do, at every claim."


def _say_boards(simulation: Simulation) -> Iterator[str]:
    setting, model = simulation.setting, simulation.model
    source = "the pilot runs" if simulation.pilot else "document ranking on MS MARCO"
    missed = f", {show_share(model.missed)} not answered" if model.ranks is not None else ""
    yield (
        f"Boards: {setting.queries:,} queries, like {source}: mean {simulation.measure} "
        f"{show_number(abs(model.mean), 3)}{missed}, correlation {show_number(model.correlation, 2)}."
    )
    if setting.improvements:
        share = show_share(setting.follow)
        yield f"Others: after an improvement {share} are as good as the best so far, the rest as good as the first."


def _say_attacks(simulation: Simulation) -> Iterator[str]:
    if not simulation.releases:
        return
    setting = simulation.setting
    yield "Attack: of two equally good answers to each query a team learns, from what it is shown, which one is lucky."
    teams = f"{setting.attackers} such teams"
    yield f"It takes the runs' vote by their scores, or keeps what climbs, whichever lifts more; {teams}."
    for each in simulation.releases:
        yield (
            f"Release, {name_release(each.release)}: public score {show_mean(each.public)} too high "
            f"(by {each.attack}; {say_count(round(each.answers), 'run')} shown a score)."
        )
