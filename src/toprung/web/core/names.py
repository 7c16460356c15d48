"""Can this name be taken for another? Names are written one way only, and compared by what they look like."""

from __future__ import annotations

import unicodedata

from toprung.errors import InputError

FORMER_MEMBER = "Former member"
RESERVED_FOR_PEOPLE = (FORMER_MEMBER, "worker")
"""What stands in records for those who left, and for the program itself."""
RESERVED_FOR_TEAMS = ("Organisers", "Organiser", "Baseline", "Baselines", FORMER_MEMBER, "Toprung")
RESERVED_BEGINNING = "Anonymous"
"""What stands in the place of a team under embargo."""

# Control characters, invisible ones and those that turn the direction of writing; also code points that mean nothing.
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_BLANKS = str.maketrans(dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0", " "))
"""Letters and marks that are drawn as nothing."""

_ACCENTS = frozenset(map(chr, range(0x0300, 0x0370)))

# Letters of other alphabets that are drawn like Latin ones: first theirs, then ours. Capitals and small letters apart,
# for the Greek Μ is drawn like M and its μ like u.
_CYRILLIC = ("АВЕЅІЈКМНОРСТУХԌԚԜаеѕіјкмнорстухԁһԛԝѵӏԍвгп", "ABESIJKMHOPCTYXGQWaesijkmhopctyxdhqwvlgbrn")
_GREEK = ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳαβγεηικμνορτυχωϲ", "ABEZHIKMNOPTYXCjabyenikuvoptuxwc")
_OTHERS = ("ՕՏՍօսհոցյզıɑɡɩøđħłŧƒ", "OSUouhngjqlaglodhltf")
_ALIKE = str.maketrans(
    {theirs: ours for pair in (_CYRILLIC, _GREEK, _OTHERS) for theirs, ours in zip(*pair, strict=True)}
)
# After case is folded: an I can be an l, and figures can be letters.
_STROKES = str.maketrans("0i1|ǀ", "ollll")
_JOINED = (("vv", "w"), ("rn", "m"))
LONGEST = 120


def clean_name(text: str) -> str:
    """The name in its one written form: compatible letters made plain, nothing unseen, single spaces."""
    plain = unicodedata.normalize("NFKC", text).translate(_BLANKS)
    seen = "".join(" " if letter.isspace() else letter for letter in plain if _is_seen(letter))
    return unicodedata.normalize("NFKC", " ".join(seen.split()))


def look_of(name: str) -> str:
    """What the name looks like: names with the same look can be taken for each other."""
    letters = unicodedata.normalize("NFD", clean_name(name)).translate(_ALIKE).casefold().translate(_STROKES)
    look = "".join(letter for letter in letters if letter not in _ACCENTS and _tells_apart(letter))
    for pair, letter in _JOINED:
        look = look.replace(pair, letter)
    return look


def check_person_name(text: str) -> str:
    """The name as it is stored; an InputError says what is wrong with it."""
    name = _check(text)
    if look_of(name) in {look_of(reserved) for reserved in RESERVED_FOR_PEOPLE}:
        raise InputError(f"Found '{name}', which records use for something else; expected your own name.")
    return name


def check_team_name(text: str) -> str:
    """The name as it is stored; whether another team has it is for the database to say."""
    name = _check(text)
    look = look_of(name)
    if look in {look_of(reserved) for reserved in RESERVED_FOR_TEAMS} or look.startswith(look_of(RESERVED_BEGINNING)):
        raise InputError(f"Found '{name}', which boards use for something else; expected a name of your own.")
    return name


def _check(text: str) -> str:
    name = clean_name(text)
    if not look_of(name):
        raise InputError("Found no letter; expected a name.")
    if len(name) > LONGEST:
        raise InputError(f"Found {len(name)} letters; expected {LONGEST} at most.")
    return name


def _is_seen(letter: str) -> bool:
    return letter.isspace() or unicodedata.category(letter) not in _UNSEEN


def _tells_apart(letter: str) -> bool:
    """Letters, emoji and the marks of scripts that write vowels so do; spaces and punctuation do not."""
    return letter.isalnum() or unicodedata.category(letter) in ("So", "Mn", "Mc")
