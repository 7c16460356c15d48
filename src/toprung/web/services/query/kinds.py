"""Of which kind is a query? Told by its words alone, before any score is looked at."""

from __future__ import annotations

YES_NO = "is are was were am do does did can could should would will has have had may must"
KINDS = {
    "how": ("how",),
    "what": ("what", "which"),
    "who, when, where": ("who", "whose", "whom", "when", "where"),
    "why": ("why",),
    "yes/no": tuple(YES_NO.split()),
}
OTHER = "other"
SHORT, MIDDLE = 4, 8
"""Words."""


def kind_of(text: str) -> str:
    """By the first word.

    >>> kind_of("Is a tomato a berry"), kind_of("how deep"), kind_of("boiling point of brine"), kind_of("")
    ('yes/no', 'how', 'other', 'other')
    """
    first = next(iter(text.lower().replace("'", " ").split()), "").strip('¿"“(')
    return next((kind for kind, firsts in KINDS.items() if first in firsts), OTHER)


def length_of(text: str) -> str:
    """By how many words it has.

    >>> length_of("port side"), length_of("one two three four five")
    ('up to 4 words', '5 to 8 words')
    """
    n = len(text.split())
    if n <= SHORT:
        return f"up to {SHORT} words"
    return f"{SHORT + 1} to {MIDDLE} words" if n <= MIDDLE else f"more than {MIDDLE} words"


ATTRIBUTES = {"kind": kind_of, "length": length_of}
"""What queries can be told apart by, as an address names it."""
