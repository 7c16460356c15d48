"""What does a simulation say? Its sentence, and what to know of how it was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from toprung.analyses.simulate.crowns import CrownRule
from toprung.analyses.simulate.figures import RuleFigures
from toprung.analyses.simulate.gains import SUBMISSIONS
from toprung.analyses.simulate.tables import RULE_LABELS, name_rule
from toprung.boards.disclosure.release import Ladder, ParameterFreeLadder
from toprung.boards.engine.words import RULE_WORDS
from toprung.result import Explanation
from toprung.stats.sequences.online import say_gamma, spell_gamma
from toprung.words.wording import list_names, say_count, show_number, show_share

if TYPE_CHECKING:
    from toprung.analyses.simulate.find import Simulation


def say_simulation(simulation: Simulation) -> str:
    """The first rule, and what stands against it."""
    return f"{_say_submissions(simulation)}, {_say_rules(simulation)}."


def _say_submissions(simulation: Simulation) -> str:
    setting = simulation.setting
    better = {0: "none is", 1: "one is"}.get(setting.improvements, f"{setting.improvements} are")
    return f"With {setting.submissions:,} submissions of which {better} truly better"


def _say_rules(simulation: Simulation) -> str:
    rules = _first_and_protected(simulation.rules)
    names = [_say_rule(each.rule) for each in rules]
    boards = [f" of {say_count(simulation.setting.boards, 'board')}", ""]
    crowned = " and ".join(
        f"on {show_share(each.false.estimate)}{of} by {name}"
        for each, of, name in zip(rules, boards, names, strict=False)
    )
    missed = ""
    if simulation.setting.improvements:
        shares = " and ".join(show_share(each.missed.estimate) for each in rules)
        missed = f", which {'misses' if len(rules) == 1 else 'miss'} {shares} of the improvements"
    return f"a run that is no better is crowned {crowned}{missed}"


def _say_rule(rule: CrownRule) -> str:
    if rule.name == "score":
        return name_rule(rule)
    return "the measure, uncorrected" if rule.gamma is None else f"the rule “{name_rule(rule)}”"


def _first_and_protected(rules: Sequence[RuleFigures]) -> list[RuleFigures]:
    """The first rule, and the first other one that shares alpha out: that which boards take by default, if there."""
    holding = [each for each in rules[1:] if each.rule.has_levels] or list(rules[1:])
    holding.sort(key=lambda each: each.rule.name != "no_harm")
    return [rules[0], *holding[:1]]


def say_notes(simulation: Simulation) -> Iterator[str]:
    yield "False crowns: boards with a crown for a run that is not truly better than the holder it replaced."
    if simulation.setting.improvements:
        gains = list_names([f"{gain:g}" for gain in simulation.setting.distinct_gains])
        yield f"Missed: improvements, of {gains} in mean {simulation.measure}, that no holder matched before the next."
        yield "Wait: submissions until a holder did, the median. Regret: the best true quality less the last holder's."
    else:
        yield "Nothing is truly better here, so nothing can be missed; add improvements to see what a rule costs."
    yield from _say_levels(simulation)
    yield from _say_boards(simulation)
    yield from _say_power(simulation)
    yield from _say_attacks(simulation)


def _say_levels(simulation: Simulation) -> Iterator[str]:
    rules = [each.rule for each in simulation.rules]
    gammas = {spell_gamma(rule.gamma): say_gamma(rule.gamma) for rule in rules if rule.gamma is not None}
    if gammas:
        yield from (f"Gamma {name}: {formula}." for name, formula in gammas.items())
        yield (
            f"Last level: what the last claim of a board was held to, the median; all levels share "
            f"{simulation.setting.alpha:g}."
        )
    asked = list(dict.fromkeys(rule.asks for rule in rules if rule.has_levels))
    yield from (f"Rule {RULE_LABELS[rule]}: {RULE_WORDS[rule]}." for rule in asked)
    if any(rule.name == "naive" for rule in rules):
        yield f"Uncorrected: the pair test of the measure at {simulation.setting.alpha:g}, at every claim."


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


def _say_power(simulation: Simulation) -> Iterator[str]:
    if simulation.power:
        yield "Better in all: as the next submission of such a board. In ranking: as many answers, found sooner."
        yield "In answers: it answers queries that neither run answered. All are kin to the holder, as on such a board."


def _say_attacks(simulation: Simulation) -> Iterator[str]:
    if not simulation.releases:
        return
    setting = simulation.setting
    yield "Attack: of two equally good answers to each query a team learns, from what it is shown, which one is lucky."
    teams = f"{setting.attackers} such teams"
    yield f"It takes the runs' vote by their scores, or keeps what climbs, whichever lifts more; {teams}."
    if any(isinstance(each.release, Ladder | ParameterFreeLadder) for each in simulation.releases):
        yield "Release: a ladder shows only what beats the team's best, by the step or if free by the standard error."
    yield "Final run: by how much the hidden score of its last run is too good. Answers: runs that were shown a score."
    yield f"What an attacker gains: by {SUBMISSIONS:,} runs, choosing which of two documents is first for each query,"
    yield f"in {simulation.measure}, wherever the board stands when the attack begins;"
    yield "looked up in attacks that were simulated beforehand (docs/design/disclosure.md)."


def explain_simulation(simulation: Simulation) -> Explanation:
    """How boards were made up."""
    setting = simulation.setting
    like = "the pilot runs" if simulation.pilot else "document ranking on MS MARCO"
    attack = (
        f" Every release of scores meets the same {setting.attackers:,} teams that are no better and hand in "
        f"{setting.attack:,} runs each to learn from what they are shown (after Blum and Hardt 2015)."
        if simulation.releases
        else " Seed and setting give the same boards again."
    )
    return Explanation(
        how=(
            f"{say_count(setting.boards, 'board')} of {setting.submissions:,} submissions with known true quality are "
            f"made up, like {like}, and every rule for claims meets the same boards, decided as a host does."
            f"{attack}"
        ),
        assumptions=(
            f"Real runs score and correlate as those of {'the pilot' if simulation.pilot else 'MS MARCO'} do.",
            "Submissions come as made up here: how many are truly better, by how much and when decides what is missed.",
            *(("Real teams do not learn more from scores than these attacks.",) if simulation.releases else ()),
        ),
    )
