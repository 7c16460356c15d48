"""Do two texts say the same? Equal and nearly equal ones are one answer: nobody is asked which of them is better.

Texts are nearly equal that differ in case, blanks, punctuation or the form of letters only, and long ones of which at
least 95% of the words are the same in the same order, unless a number or a word of negation is among what differs:
these turn an answer into another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import chain

LONG = 20
"""Words from which a few may differ."""
ALIKE = 0.95
NEGATIONS = frozenset({"no", "not", "never", "none", "nor", "neither", "without", "cannot", "t"})
"""Of English; ``don't`` is read as two words."""
WORDS = re.compile(r"\w+")


@lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[str, ...]:
    """The words, without case and the form of letters.

    >>> words_of("The  ﬁrst, “best” Answer!")
    ('the', 'first', 'best', 'answer')
    """
    return tuple(WORDS.findall(unicodedata.normalize("NFKC", text).casefold()))


def are_nearly_equal(one: str, other: str) -> bool:
    """Whether two texts are one answer; a text without words is like no other but itself.

    >>> are_nearly_equal("Rome, the capital.", "rome the  capital"), are_nearly_equal("in 1912", "in 1921")
    (True, False)
    """
    words, others = words_of(one), words_of(other)
    if words == others:
        return bool(words) or one == other
    if min(len(words), len(others)) < LONG or 2 * min(len(words), len(others)) < ALIKE * (len(words) + len(others)):
        return False
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    if matcher.quick_ratio() < ALIKE or matcher.ratio() < ALIKE:
        return False
    changes = ((words[a:b], others[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal")
    return not any(_turns(word) for word in chain.from_iterable(chain(*each) for each in changes))


def _turns(word: str) -> bool:
    return word in NEGATIONS or any(each.isdigit() for each in word)


def find_twin(doc_id: str, among: Iterable[str], texts: Mapping[str, str]) -> str | None:
    """The first of other documents whose text is equal, else the first whose text is nearly equal; None without one."""
    text = texts.get(doc_id)
    if not text:
        return None
    others = [(other, texts[other]) for other in among if texts.get(other)]
    equal = (other for other, its_text in others if its_text == text)
    nearly = (other for other, its_text in others if are_nearly_equal(text, its_text))
    return next(chain(equal, nearly), None)
