"""What does a study say where its organisers wrote nothing of their own? A consent text, guidelines, three examples.

All of it was written for Toprung. An example is a question, two passages, which is better, and why; the third is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from toprung.web.core.models.judging import Campaign

CONSENT = """\
You compare two answers to a question, for research on search.

- **Your choice.** Leave any time, paid for your share. All work is paid, used or not; some pairs test attention.
- **Kept**: choices, their times, a scrambled platform number; not your name or device. Choices alone may be published.
- **Delete it** on the last page. Once labels are published votes stay, no longer tied to you.
"""
GUIDELINES = """\
Being on topic is not enough. If neither answers, take the nearer one. Look nothing up; skip if unsure.
"""


@dataclass(frozen=True, kw_only=True)
class Example:
    """A pair whose better passage is known, with the reason in words."""

    question: str
    left: str
    right: str
    better: str
    """left or right."""
    why: str


EXAMPLES = (
    Example(
        question="how often should a sourdough starter be fed",
        left="At room temperature once or twice a day; in the refrigerator once a week is enough.",
        right="Sourdough bread has a thick crust and a sour taste, and was baked long before yeast was sold in shops.",
        better="left",
        why="The left passage says how often. The right one is about sourdough, and answers nothing.",
    ),
    Example(
        question="why do leaves turn red in autumn",
        left="In autumn the leaves turn red and yellow. Then they fall, and many people travel to see them.",
        right="As days grow shorter leaves lose their green pigment, and many trees make a red one from sugar.",
        better="right",
        why="Both are about leaves in autumn; only the right passage says why they turn red.",
    ),
    Example(
        question="can you paint over wallpaper",
        left="Wallpaper in rolls came with nineteenth-century machines.",
        right="Yes, if it sticks firmly; prime it first.",
        better="right",
        why="Only the right passage answers.",
    ),
)
WORDS_A_MINUTE = 200
"""At which people read, rather slow than fast."""


def examples_of(campaign: Campaign) -> list[Example]:
    """Two that are worked and one to try."""
    return [Example(**each) for each in campaign.examples] or list(EXAMPLES)


def own_examples(said: Sequence[Example]) -> list[dict[str, str]]:
    """As a campaign keeps them; nothing where they are those that Toprung has."""
    return [] if tuple(said) == EXAMPLES else [asdict(each) for each in said]


def own_text(written: str, proposed: str) -> str:
    r"""What organisers wrote, with lines as browsers end them or not; nothing where it is what Toprung proposes.

    >>> own_text("Ours.\r\nAll of it.", CONSENT), own_text(CONSENT, CONSENT)
    ('Ours.\nAll of it.', '')
    """
    said = written.replace("\r\n", "\n").strip()
    return "" if said == proposed.strip() else said


def consent_of(campaign: Campaign) -> str:
    return campaign.consent or CONSENT


def guidelines_of(campaign: Campaign) -> str:
    return campaign.guidelines or GUIDELINES


def seconds_to_read(campaign: Campaign) -> int:
    """How long consent, guidelines and the pair to try take to read; what the pages say around them comes on top."""
    trial = examples_of(campaign)[-1]
    read = (consent_of(campaign), guidelines_of(campaign), trial.question, trial.left, trial.right, trial.why)
    return round(sum(len(text.split()) for text in read) * 60 / WORDS_A_MINUTE)
