"""Can a board be made of this? Its settings, as a form or a file gives them, and all that is wrong with them.

Forms and files make the same plan under the same keys, so they are held to the same rules and say the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from toprung.boards.disclosure.release import read_release
from toprung.boards.engine.rules import Rule
from toprung.errors import InputError
from toprung.scoring.catalogue import find_if_known, find_measure, first_rank_of
from toprung.scoring.measure import Aggregate
from toprung.stats.sequences.online import DEFAULT_GAMMA, read_gamma, spell_gamma
from toprung.web.core.models.boards import LARGEST_MARGIN, RULES, SMALLEST_MARGIN, Admission, Board

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SLUG_SAYS = "small letters, digits and single hyphens between them"
MOST_OTHER_MEASURES = 10
LARGEST_DEPTH, LARGEST_QUOTA, LONGEST_WINDOW, LONGEST_EMBARGO = 10_000, 1_000, 366, 9
SMALLEST_ALPHA, LARGEST_ALPHA = 0.0001, 0.5
LARGEST_BOARD_QUOTA = 1_000_000
LARGEST_SEED = 2**31 - 1
LONGEST_NUMBER = 40
NOT_IN_A_LINE = ("Cc", "Zl", "Zp")
USUAL_CUTOFF = 100


@dataclass(frozen=True, kw_only=True)
class SettingFault:
    """What is wrong with one setting: "found …; expected …"."""

    key: str
    says: str

    def __str__(self) -> str:
        return f"{self.key}: {self.says}"


class BoardRefusedError(InputError):
    """Nothing was stored; every fault, by its key."""

    def __init__(self, faults: Iterable[SettingFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


@dataclass(frozen=True, kw_only=True)
class BoardPlan:
    """The settings of a board; each is called as in the model, in the form and in ``board.toml``."""

    slug: str
    title: str
    task: str
    description: str = ""
    is_public: bool = True
    opens_at: datetime | None = None
    """From the moment it is made, when left out."""
    closes_at: datetime | None = None
    official_measure: str = ""
    """Chosen from the official labels, when left out; so is the rule."""
    cutoff: int | None = None
    """That of the official measure, when left out."""
    other_measures: tuple[str, ...] = ()
    depth: int = 1000
    rule: str = ""
    alpha: float = 0.05
    gamma: str = spell_gamma(DEFAULT_GAMMA)
    answered_margin: float | None = None
    ranking_margin: float | None = None
    release: str = ""
    """Chosen by whether the official labels are hidden, when left out; so is who may submit."""
    who_may_submit: str = ""
    quota: int = 2
    quota_days: int = 30
    board_quota: int | None = None
    refuses_near_duplicates: bool = False
    embargo_months: int = 9
    seed: int = 0

    @classmethod
    def of(cls, board: Board) -> BoardPlan:
        """The settings a board has."""
        values = {name: getattr(board, name) for name in cls.__dataclass_fields__}
        return cls(**values | {"other_measures": tuple(board.other_measures)})


def find_faults(plan: BoardPlan) -> list[SettingFault]:
    """Everything that is wrong, in the order of the form."""
    return [*_in_words(plan), *_in_dates(plan), *_in_measures(plan), *_in_rules(plan), *_in_policy(plan)]


def _in_words(plan: BoardPlan) -> Iterator[SettingFault]:
    if not SLUG.fullmatch(plan.slug):
        yield SettingFault(key="slug", says=f"found '{plan.slug}'; expected {SLUG_SAYS}.")
    for key in ("slug", "title", "task", "description"):
        text, longest = getattr(plan, key), _longest(key)
        if not text.strip() and key not in ("slug", "description"):
            yield SettingFault(key=key, says="found nothing; expected some words.")
        if len(text) > longest:
            yield SettingFault(key=key, says=f"found {len(text):,} characters; expected {longest:,} at most.")
    for key in ("title", "task"):
        if any(unicodedata.category(letter) in NOT_IN_A_LINE for letter in getattr(plan, key)):
            yield SettingFault(key=key, says="found a control character; expected one line of text.")
    if "\0" in plan.description:
        yield SettingFault(key="description", says="found a zero character; expected text.")


def _in_dates(plan: BoardPlan) -> Iterator[SettingFault]:
    for key in ("opens_at", "closes_at"):
        moment = getattr(plan, key)
        if moment is not None and not 2000 <= moment.year <= 2200:
            yield SettingFault(key=key, says=f"found the year {moment.year}; expected one from 2000 to 2200.")
    if plan.opens_at and plan.closes_at and plan.closes_at <= plan.opens_at:
        yield SettingFault(
            key="closes_at", says=f"found {plan.closes_at:%Y-%m-%d %H:%M}; expected a time after opens_at."
        )


def _in_measures(plan: BoardPlan) -> Iterator[SettingFault]:
    yield from _in_range(plan, "depth", 1, LARGEST_DEPTH)
    if plan.cutoff is not None:
        yield from _in_range(plan, "cutoff", 1, max(plan.depth, 1), why=", the depth of runs")
    yield from _in_measure("official_measure", plan.official_measure, others=())
    for place, text in enumerate(plan.other_measures):
        yield from _in_measure("other_measures", text, others=(plan.official_measure, *plan.other_measures[:place]))
    if len(plan.other_measures) > MOST_OTHER_MEASURES:
        n = len(plan.other_measures)
        yield SettingFault(key="other_measures", says=f"found {n}; expected {MOST_OTHER_MEASURES} at most.")
    fitting = fitting_cutoff(plan)
    if _has_ranks(plan) and plan.cutoff not in (None, fitting):
        yield SettingFault(
            key="cutoff",
            says=f"found {plan.cutoff:,}; expected {fitting:,} as in {plan.official_measure}: claims are tested on the "
            "ranks that are scored.",
        )


def fitting_cutoff(plan: BoardPlan) -> int:
    """That of the official measure; of RR at any rank the depth of runs."""
    known, asked = find_if_known(plan.official_measure), first_rank_of(plan.official_measure)
    cutoff = getattr(known, "cutoff", None) if asked is None else asked.cutoff or plan.depth
    return cutoff or min(USUAL_CUTOFF, plan.depth)


def _in_measure(key: str, text: str, *, others: Collection[str]) -> Iterator[SettingFault]:
    longest = _longest("official_measure")
    try:
        measure = find_measure(text)
    except InputError as error:
        yield SettingFault(key=key, says=_in_lower_case(str(error)))
        return
    if measure.aggregate is not Aggregate.MEAN:
        yield SettingFault(
            key=key,
            says=f"found {text}, a {measure.aggregate.value}; expected a mean over all queries, so that nobody gains "
            "by leaving queries out. Answers and search length stand beside every score anyhow.",
        )
    if text in others:
        yield SettingFault(key=key, says=f"found {text} twice; expected each measure once.")
    if len(text) > longest:
        yield SettingFault(key=key, says=f"found {len(text)} characters; expected {longest} at most.")


def spell_measure(text: str) -> str:
    """In the one way that boards show it; a name that is not known stays as it is.

    >>> spell_measure("MRR@10"), spell_measure("thumbs")
    ('RR@10', 'thumbs')
    """
    known = find_if_known(text)
    return text if known is None else str(known)


def _in_rules(plan: BoardPlan) -> Iterator[SettingFault]:
    if plan.rule not in RULES:
        yield SettingFault(key="rule", says=f"found '{plan.rule}'; expected one of {', '.join(RULES)}.")
    elif Rule(plan.rule).needs_ranks and find_if_known(plan.official_measure) and not _has_ranks(plan):
        yield SettingFault(
            key="rule",
            says=f"found '{plan.rule}' with {plan.official_measure}; expected 'measure', or as the official measure "
            "one of the first relevant document, such as RR@10.",
        )
    yield from _in_range(plan, "alpha", SMALLEST_ALPHA, LARGEST_ALPHA)
    for key in ("answered_margin", "ranking_margin"):
        if getattr(plan, key) is not None:
            yield from _in_range(plan, key, SMALLEST_MARGIN, LARGEST_MARGIN)
    for key, read in (("gamma", read_gamma), ("release", read_release)):
        text, longest = getattr(plan, key), _longest(key)
        try:
            read(text)
        except InputError as error:
            yield SettingFault(key=key, says=str(error))
        else:
            if len(text) > longest:
                yield SettingFault(key=key, says=f"found {len(text)} characters; expected {longest} at most.")


def _has_ranks(plan: BoardPlan) -> bool:
    return first_rank_of(plan.official_measure) is not None


def _in_policy(plan: BoardPlan) -> Iterator[SettingFault]:
    yield from _in_admission(plan)
    yield from _in_range(plan, "quota", 1, LARGEST_QUOTA)
    if plan.board_quota is not None:
        yield from _in_range(plan, "board_quota", 1, LARGEST_BOARD_QUOTA)
    yield from _in_range(plan, "quota_days", 1, LONGEST_WINDOW)
    yield from _in_range(plan, "embargo_months", 0, LONGEST_EMBARGO)
    yield from _in_range(plan, "seed", 0, LARGEST_SEED)


def _in_admission(plan: BoardPlan) -> Iterator[SettingFault]:
    if plan.who_may_submit not in Admission.values:
        expected = ", ".join(Admission.values)
        yield SettingFault(key="who_may_submit", says=f"found '{plan.who_may_submit}'; expected one of {expected}.")


def _in_range(plan: BoardPlan, key: str, low: float, high: float, *, why: str = "") -> Iterator[SettingFault]:
    value = getattr(plan, key)
    if not low <= value <= high:  # not a number is in no range
        found, least, most = (f"{each:g}" if isinstance(each, float) else f"{each:,}" for each in (value, low, high))
        yield SettingFault(key=key, says=f"found {found[:LONGEST_NUMBER]}; expected from {least} to {most}{why}.")


def _longest(key: str) -> int:
    return getattr(Board._meta.get_field(key), "max_length", 0)


def _in_lower_case(message: str) -> str:
    """It follows a key and a colon."""
    return message[:1].lower() + message[1:]
