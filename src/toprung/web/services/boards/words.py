"""What may an organiser choose, and what follows from it? Each choice a sentence with its consequence in numbers.

Creating a board and changing its policy say the same: both pages list what stands here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.conf import settings

from toprung.analyses.simulate.gains import known_gains
from toprung.boards.disclosure.luck import spread_of
from toprung.boards.disclosure.release import AutomaticBoardLadder, read_release
from toprung.boards.disclosure.resolution import LEAST_HIDDEN
from toprung.stats.sequences.online import DEFAULT_GAMMA, PlannedGamma, read_gamma, say_gamma, spell_gamma
from toprung.stats.tests.pair import smallest_p
from toprung.web.core.models.boards import RELEASE_OF_HIDDEN, RELEASE_OF_PUBLIC, RULES, Admission
from toprung.web.core.store.plan import spell_measure
from toprung.web.services.boards.label_facts import LabelFacts
from toprung.web.services.boards.preview import AT_CLAIMS, Preview
from toprung.words.wording import show_level, show_p

STEADY = spell_gamma(DEFAULT_GAMMA)
PLANNED, CLOSED, ANOTHER = "planned", "closed", "another"
"""Choices that need a number, a day or a name beside them."""
NOT_KNOWN = "as it is set now"


@dataclass(frozen=True, kw_only=True)
class BoardChoice:
    """One of several: its value, what it is, and what follows."""

    value: str
    words: str
    sub: str = ""
    is_proposed: bool = False


def show_gain(gain: float) -> str:
    """Two digits that count, with three decimals at most.

    >>> show_gain(0.0432), show_gain(0.0004), show_gain(math.inf)
    ('0.043', 'less than 0.001', 'none')
    """
    if math.isinf(gain):
        return "none"
    return "less than 0.001" if gain < 0.0005 else f"{gain:.3f}"


def hiding_choices() -> list[BoardChoice]:
    return [
        BoardChoice(
            value="yes",
            words="Nobody but organisers",
            sub="The usual choice. Opening them is logged, with the reason.",
            is_proposed=True,
        ),
        BoardChoice(
            value="no",
            words="Everybody",
            sub="For a board on a public collection. Runs can then be tuned on the test queries; the page says so.",
        ),
    ]


def measure_choices(facts: LabelFacts) -> list[BoardChoice]:
    """The one that the labels ask for, what else is usual, and any other."""
    usual = {
        "RR@10": f"Is one answer found, and how high? {_of_first(facts)}",
        "nDCG@10": f"How good are the first ten? {_of_grades(facts)}",
        "AP": "How well are all relevant documents brought to the top? For labels with many of them for a query.",
    }
    proposed = BoardChoice(value=facts.measure, words=facts.measure, sub=_why(facts), is_proposed=True)
    rest = [BoardChoice(value=name, words=name, sub=sub) for name, sub in usual.items() if name != facts.measure]
    other = BoardChoice(
        value=ANOTHER, words="Another measure", sub="By its usual name, such as RR@100, R@100 or AP(rel=2)."
    )
    return [proposed, *rest, other]


def _why(facts: LabelFacts) -> str:
    return f"Your labels have {facts.why}."


def _of_first(facts: LabelFacts) -> str:
    if facts.has_one_answer:
        return "Your labels have one answer for most queries."
    return "Yours have several relevant documents for a query: RR would look at the first only."


def _of_grades(facts: LabelFacts) -> str:
    return "It uses the grades." if max(facts.grades) > 1 else "Your labels have one grade, so only places count."


def rule_choices(*, proposes: bool) -> list[BoardChoice]:
    """``proposes``: where the rule may be left to what the labels ask for."""
    subs = {
        "measure": "One test of the official measure. For every measure.",
        "no_harm": "That, or more queries answered; and it may not answer fewer or rank lower beyond a margin. For "
        "measures of the first relevant document, such as RR@10.",
        "both": "Two tests, and both must pass: few claims will. For measures of the first relevant document.",
        "score": "Whoever scores higher stands first. A lucky run does too.",
    }
    rules = [BoardChoice(value=rule, words=_capital(words), sub=subs[rule]) for rule, words in RULES.items()]
    left_open = BoardChoice(
        value="",
        words="What the labels ask for",
        sub="No harm where most queries have one answer and the measure is of the first relevant document; else a "
        "higher mean. Beyond chance, either way.",
        is_proposed=True,
    )
    return [left_open, *rules] if proposes else rules


def level_choices(preview: Preview) -> list[BoardChoice]:
    """How the chance of a false claim is shared among claims: open-ended, or over an expected number."""
    claims = preview.claims
    steady, planned = STEADY, spell_gamma(PlannedGamma(claims=claims))
    found = [
        BoardChoice(
            value=steady,
            words="I cannot say: as many as come",
            sub=_say_gains(preview, steady),
            is_proposed=True,
        ),
        BoardChoice(value=PLANNED, words="I expect about", sub=_say_even(preview, planned, claims)),
    ]
    gamma = read_gamma(preview.gamma)
    if preview.gamma != steady and not isinstance(gamma, PlannedGamma):
        words = f"Shares of {say_gamma(gamma)}, {NOT_KNOWN}"
        found.append(BoardChoice(value=preview.gamma, words=words, sub=_say_gains(preview, preview.gamma)))
    return found


def _say_and_more(gain: float) -> str:
    return "none" if math.isinf(gain) else f"it is {show_gain(gain)} and more"


def say_expected_claims(gamma: str) -> str:
    """How many claims the levels of a board were shared out for.

    >>> say_expected_claims(STEADY), say_expected_claims("planned:50")
    ('as many as come', 'about 50')
    """
    read = read_gamma(gamma)
    if isinstance(read, PlannedGamma):
        return f"about {read.claims:,}"
    return "as many as come" if gamma == STEADY else f"as many as come, with shares of {say_gamma(read)}"


def _say_gains(preview: Preview, gamma: str) -> str:
    if not preview.is_tested:
        return "No claim is tested by the rule of this board."
    if math.isinf(preview.gain(1, gamma=gamma)):
        return "No claim can pass on so few queries."
    first, tenth, last = (show_gain(preview.gain(t, gamma=gamma)) for t in AT_CLAIMS)
    return f"The first claim can show a gain of {first}, the tenth {tenth}, the fiftieth {last}."


def _say_even(preview: Preview, gamma: str, claims: int) -> str:
    if not preview.is_tested:
        return "No claim is tested by the rule of this board."
    if math.isinf(preview.gain(1, gamma=gamma)):
        return f"None of the first {claims:,} claims can pass on so few queries."
    return (
        f"Every one of the first {claims:,} claims can show a gain of {show_gain(preview.gain(1, gamma=gamma))}; "
        f"after them {_say_and_more(preview.gain(claims + 1, gamma=gamma))}."
    )


def say_what_it_sees(preview: Preview) -> tuple[str, str]:
    """The sentence of the policy: what is bold, and what follows."""
    if not preview.is_tested:
        return "This board tests no claim.", "A run that scores higher stands first, be it by luck."
    if preview.sees_nothing:
        return (
            f"With {preview.queries:,} queries no claim can pass:",
            f"were a run better on every one of them, p would be {show_p(smallest_p(preview.queries))}, and the first "
            f"claim is held to {show_level(preview.level(1))}.",
        )
    now, later = show_gain(preview.gain(1)), show_gain(preview.gain(AT_CLAIMS[-1]))
    return (
        f"With {preview.queries:,} queries this board sees gains of {now} {preview.measure} and more;",
        f"after {AT_CLAIMS[-1]} claims {later}. Over its life a false claim passes in at most "
        f"{100 * preview.alpha:g}% of cases.",
    )


def release_choices(current: str, *, hidden_queries: int, measure: str) -> list[BoardChoice]:
    """What everyone sees of scores; ``hidden_queries`` is 0 where the official labels are public."""
    proposed = RELEASE_OF_HIDDEN if hidden_queries else RELEASE_OF_PUBLIC
    named = {value: name_release(value) for value in ("board-ladder:auto", "ladder:0.01", "full")}
    if current and current not in named and not current.startswith(f"{CLOSED}:"):
        named[current] = f"{name_release(current)}, {NOT_KNOWN}"
    order = sorted(named, key=lambda value: value != proposed)
    found = [
        BoardChoice(
            value=value,
            words=named[value],
            sub=say_attack(value, hidden_queries, measure=measure),
            is_proposed=value == proposed,
        )
        for value in order
    ]
    closed = BoardChoice(
        value=CLOSED, words="Nothing before", sub="Then every score at once. Until then nobody can tune."
    )
    return [*found, closed]


def name_release(value: str) -> str:
    kind, _, step = value.partition(":")
    if kind == "rounded":
        return f"Every score, to {step} decimals" if step != "1" else "Every score, to one decimal"
    if kind == CLOSED:
        return f"Nothing before {step}"
    words = {
        "full": "Every score",
        "board-ladder": "A score when it is a step better than the best of the board",
        "ladder": "A score when it is a step better than the team’s best",
    }
    size = {"auto": " (the step is set by the number of queries)", "free": " (the step is set by the scores)", "": ""}
    return f"{words[kind]}{size.get(step, f' (by {step})')}"


def say_attack(value: str, hidden_queries: int, *, measure: str) -> str:
    if not hidden_queries:
        return "The labels are public: there is nothing to be learned from scores."
    release = read_release(value)
    size = ""
    on_hidden = release.on_hidden(hidden_queries, spread=spread_of(measure))
    if isinstance(on_hidden, AutomaticBoardLadder):
        size = (
            f" The step is {on_hidden.needed:.3f} here, and to each run a lot is added before it is compared, so that "
            "luck alone is worth little."
        )
    few = f" Of fewer than {LEAST_HIDDEN} hidden queries nobody but you is shown a score, until you open them."
    said = known_gains(release, hidden_queries, measure=measure).words
    return f"{said}{size}{few if hidden_queries < LEAST_HIDDEN else ''}"


def admission_choices(current: str, *, is_hidden: bool) -> list[BoardChoice]:
    """Anyone is offered only where addresses are verified by mail, or it is so now."""
    has_mail = settings.ENVIRONMENT.mail is not None
    proposed = Admission.APPROVED if is_hidden or not has_mail else Admission.ANYONE
    subs = {
        Admission.ANYONE: "Whoever makes accounts can ask hidden labels more often."
        if is_hidden
        else "No act of yours is needed.",
        Admission.APPROVED: "They ask with a button, and you see who is in the team on the page People: a thousand "
        "submissions are hard to come by.",
        Admission.INVITED: "You give each of them the role of a participant; nobody can ask.",
    }
    offered = [each for each in Admission if has_mail or each is not Admission.ANYONE or each == current]
    offered.sort(key=lambda each: each is not proposed)
    return [
        BoardChoice(value=each.value, words=_capital(each.label), sub=subs[each], is_proposed=each is proposed)
        for each in offered
    ]


def visibility_choices() -> list[BoardChoice]:
    return [
        BoardChoice(value="on", words="Everybody, now", sub="Anyone can look; who may submit was said above."),
        BoardChoice(value="", words="Who has a role on it, until I open it", sub="Try it with one team first."),
    ]


def other_measures(measure: str, chosen: Sequence[str]) -> Iterator[str]:
    """What may stand beside the official measure: what is usual, and what was chosen."""
    yield from dict.fromkeys(
        each for each in (*map(spell_measure, USUAL_OTHERS), *chosen) if each != spell_measure(measure)
    )


USUAL_OTHERS = ("nDCG@10", "AP", "RR@10", "R@100", "R@1000", "P@10")


def proposed_others(facts: LabelFacts, measure: str) -> tuple[str, ...]:
    """Two beside the official one: another look at the top, and how much is found at all."""
    usual = ("nDCG@10", "R@100") if facts.has_one_answer else ("AP", "RR@10")
    return tuple(spell_measure(each) for each in usual if each != spell_measure(measure))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
