"""What did a language model choose? A digit, JSON, or a sentence that says it; what is not said plainly is invalid.

Only the model's reply is read, never the passages: a text that says "Passage 1 is better" is in the question. A reply
that says two things, doubts what it says, or praises one passage in some respect only, is invalid: nothing is guessed.
"""

from __future__ import annotations

import json
import re
from typing import Any

from toprung.data.judgments import Choice

CHOICES = {"1": Choice.LEFT, "2": Choice.RIGHT, "0": Choice.TIE, "one": Choice.LEFT, "two": Choice.RIGHT}
PLACES = {"first": Choice.LEFT, "second": Choice.RIGHT}
TIES = frozenset({"0", "neither", "none", "tie", "tied", "equal"})
KEYS = frozenset({"answer", "best", "better", "choice", "passage", "preference", "preferred", "verdict", "winner"})
"""Of a JSON object; others, such as a reason, are not read."""
THOUGHTS = "<think>", "</think>"
"""What some models write before they answer stands between these."""
MARKUP = re.compile(r"[*_`#]+")
FENCE = "```"

NOUN = "(?:passage|answer|option|choice|text|document)"
SIDE = rf"(?:(?:the )?{NOUN} ?[#(\[]?(?P<number>[12]|one|two)\b[)\]]?|the (?P<place>first|second) {NOUN})"
OTHER = rf"(?:(?:the )?{NOUN} ?[#(\[]?(?:[12]|one|two)\b[)\]]?|the (?:first|second|other)(?: (?:{NOUN}|one))?)"
FINALLY = "(?:(?:my |final )?(?:answer|choice|verdict|judge?ment|conclusion))"
LEAD = (
    "(?:(?:overall|therefore|thus|so|hence|in conclusion|in my opinion|i (?:think|believe|would say)(?: that)?"
    f"|{FINALLY}(?: is)?)[,:]? ){{0,3}}"
)
BETTER = (
    f" (?:is|answers (?:the )?(?:question|query)) (?:(?:clearly|much|slightly|far|definitely|the) ){{0,3}}"
    f"(?:better|best)(?: (?:{NOUN}|one))?"
)
END = rf"(?: than {OTHER})? ?(?:$|[.!,;:]|[-\u2013\u2014] |\b(?:because|since|as|due to)\b)"
SAYS_SIDE = re.compile(f"{LEAD}{SIDE}{BETTER}{END}", re.IGNORECASE)
PICKS_SIDE = re.compile(
    f"{LEAD}(?:i (?:would )?(?:prefer|choose|pick|select)|the (?:better|best|preferred) {NOUN} is) {SIDE}{END}",
    re.IGNORECASE,
)
SAYS_TIE = re.compile(
    f"{LEAD}(?:neither(?: {NOUN})? is better|(?:both|the two)(?: {NOUN}s)? are equally good|it is a tie){END}",
    re.IGNORECASE,
)
LABELLED = re.compile(rf"\W{{0,4}}(?:{FINALLY}\W{{1,3}})?(?:{NOUN}\W{{0,3}})?(?P<digit>[012])\W{{0,4}}", re.IGNORECASE)
"""A line that is the choice and nothing else."""
CLAIM = re.compile(
    rf"(?:{NOUN}\W{{0,2}}(?P<number>[12]|one|two)\b|\b(?P<place>first|second) {NOUN})[^.;!?\n]{{0,30}}?"
    r"\b(?:better|best|prefer\w*|superior|wins?)\b",
    re.IGNORECASE,
)
"""Anything that could be a choice, wherever it stands."""
CLAIMS_TIE = re.compile(r"\b(?:neither|equally|tied?|equal|both are)\b", re.IGNORECASE)
CONTRAST = re.compile(
    r"\b(?:but|however|although|though|while|whereas|yet|unless|if|or|except|unsure|uncertain|depends?|might|could|may"
    r"|perhaps|maybe|hard to say|on the other hand|cannot|can't)\b|\?",
    re.IGNORECASE,
)
"""What takes back a part of what was said; a choice on the last line stands all the same."""
LIST_MARK = re.compile(r"\d[.)]")
"""At the end of a longer reply: a list that was cut off, and no choice."""
SPACES = re.compile(r"[^\S\n]+")
LONGEST = 20_000
"""Characters of a reply that is read; a longer one is no answer."""
SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n+")


def read_choice(reply: str) -> Choice | None:
    """The choice that the reply states; None if it is invalid.

    >>> read_choice("2"), read_choice("<think>The first is vague.</think> Passage 1."), read_choice("1 or 2")
    (<Choice.RIGHT: 'right'>, <Choice.LEFT: 'left'>, None)
    >>> read_choice('{"choice": 2, "reason": "exact"}'), read_choice("Passage 1 is better because it is exact.")
    (<Choice.RIGHT: 'right'>, <Choice.LEFT: 'left'>)
    """
    if len(reply) > LONGEST:
        return None
    opened, closed = THOUGHTS
    before, _, after = reply.rpartition(closed)
    said = after.strip()
    if opened in said.lower() or (before and opened not in before.lower()):
        return None
    if said.startswith("{") or FENCE in said:
        return _read_with_json(said)
    return _read_prose(_to_plain(said))


def _to_plain(text: str) -> str:
    return SPACES.sub(" ", MARKUP.sub("", text)).strip()


def _read_with_json(said: str) -> Choice | None:
    """The choice of the one object there is, unless the words around it say another."""
    if FENCE not in said:
        return _read_object(said)
    parts = said.split(FENCE)
    if len(parts) != 3:
        return None
    around, fenced = _to_plain(f"{parts[0]}\n{parts[2]}"), parts[1].strip()
    chosen = _read_object(fenced.removeprefix("json").removeprefix("JSON"))
    return chosen if _claims_in(around) <= {chosen} else None


def _read_object(text: str) -> Choice | None:
    try:
        pairs = json.loads(text, object_pairs_hook=tuple)  # so that an object is no list
    except (ValueError, RecursionError):
        return None
    if not isinstance(pairs, tuple):
        return None
    named = [_read_value(value) for key, value in pairs if key.lower() in KEYS]
    return named[0] if named and len(set(named)) == 1 else None


def _read_value(value: Any) -> Choice | None:
    if type(value) is int:
        return CHOICES.get(str(value))
    if not isinstance(value, str):
        return None
    said = value.strip()
    return Choice.TIE if said.lower() in TIES else _read_prose(_to_plain(said))


def _read_line(line: str) -> Choice | None:
    found = LABELLED.fullmatch(line)
    return CHOICES[found["digit"]] if found else None


def _read_prose(said: str) -> Choice | None:
    """What the sentences state, if all that could be a choice is one and the same, and nothing takes it back."""
    lines = [line for line in said.splitlines() if line.strip()]
    is_cut = len(lines) > 1 and LIST_MARK.fullmatch(lines[-1].strip())
    last = _read_line(lines[-1]) if lines and not is_cut else None
    stated = {choice for sentence in SENTENCES.split(said) if (choice := _read_sentence(sentence.strip()))}
    if last is not None:
        return last if stated | _claims_in("\n".join(lines[:-1])) <= {last} else None
    if len(stated) != 1 or CONTRAST.search(said):
        return None
    [choice] = stated
    return choice if _claims_in(said) <= stated else None


def _read_sentence(sentence: str) -> Choice | None:
    found = SAYS_SIDE.match(sentence) or PICKS_SIDE.match(sentence)
    if found:
        return _side_of(found)
    return Choice.TIE if SAYS_TIE.match(sentence) else None


def _side_of(found: re.Match[str]) -> Choice:
    return CHOICES[found["number"].lower()] if found["number"] else PLACES[found["place"].lower()]


def _claims_in(text: str) -> set[Choice | None]:
    """The sides that some words of the text could be for."""
    claimed: set[Choice | None] = {_side_of(found) for found in CLAIM.finditer(text)}
    return claimed | ({Choice.TIE} if CLAIMS_TIE.search(text) else set())
