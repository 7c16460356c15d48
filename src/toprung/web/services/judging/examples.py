"""What does a study say where its organisers wrote nothing of their own? A consent text, guidelines, three examples.

All of it was written for Toprung. An example is a question, two passages, which is better, and why; the third is tried.
"""

from __future__ import annotations

from dataclasses import dataclass

from toprung.web.core.models.judging import Campaign

CONSENT = """\
You are asked to compare pairs of short texts and to say which answers a question better. It is part of research on
search engines. The texts come from a collection of documents; some may be wrong, dated or badly written.

- **It is your choice.** You can stop at any time with *Exit*; what you answered by then is paid by its share.
- **You are paid** whether or not your answers are used. A few pairs are tests of attention and look like all others.
- **What is kept**: your choices, how long each took, and a scrambled form of the number that your platform gives you.
  No name, no address, nothing about your device.
- **You can have it deleted** on the last page. Until labels are published your answers are deleted and the pairs are
  asked of someone else; afterwards the votes stay in the labels, and what connects them to you is destroyed.
- Choices without the number may be published for research.
"""
GUIDELINES = """\
Read the question, then both passages. Choose the one that you would rather be given as the answer.

- The better passage **answers the question**: fully, to the point, and as far as you can tell correctly.
- Being about the same topic is not enough. A short passage that answers is better than a long one that does not.
- If both answer, take the one that is clearer or more complete. If neither does, take the one that comes nearer.
- Do not look anything up. If you cannot decide, or a text cannot be read, skip the pair: it is asked again.
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
        left="A starter that is kept at room temperature is fed once or twice a day. In the refrigerator once a week "
        "is enough; let it warm up and feed it the evening before you bake.",
        right="Sourdough bread has a thick crust and a sour taste. It is found in many countries and has been baked "
        "for thousands of years, long before yeast was sold in shops.",
        better="left",
        why="The left passage says how often. The right one is about sourdough, and answers nothing.",
    ),
    Example(
        question="why do leaves turn red in autumn",
        left="In autumn the leaves turn red and yellow. Then they fall. Many people travel to see them.",
        right="As days grow shorter, leaves stop renewing their green pigment. Yellow ones that were there all the "
        "time begin to show, and many trees make red ones from sugar that stays in the leaf.",
        better="right",
        why="Both are about leaves in autumn; only the right passage says why they turn red.",
    ),
    Example(
        question="can you paint over wallpaper",
        left="Wallpaper was first printed in sheets and glued together. Rolls came with the machines of the nineteenth "
        "century, and made it cheap enough for most homes.",
        right="You can paint over wallpaper that is firmly stuck and not made of vinyl. Glue down loose edges, put on "
        "a primer, and try a corner first: it must not come off when it is wet.",
        better="right",
        why="The right passage answers the question and says when it works. The left one is history.",
    ),
)


def examples_of(campaign: Campaign) -> list[Example]:
    """Two that are worked and one to try."""
    return [Example(**each) for each in campaign.examples] or list(EXAMPLES)


def consent_of(campaign: Campaign) -> str:
    return campaign.consent or CONSENT


def guidelines_of(campaign: Campaign) -> str:
    return campaign.guidelines or GUIDELINES
