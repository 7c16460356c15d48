"""What is the file of an address called? Only of letters, digits, hyphens and underscores, and never like another."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

ENDINGS = {
    "text/html": ".html",
    "application/json": ".json",
    "text/csv": ".csv",
    "text/x-tex": ".tex",
    "text/plain": ".txt",
    "image/svg+xml": ".svg",
}
HAS_ENDING = re.compile(r"\.[A-Za-z0-9]{1,5}$")
ENDING_OF_FILE = re.compile(r'filename="[^"/\\]*?((?:\.[a-z0-9]{1,5}){1,2})"$')
NOT_PLAIN = re.compile(r"[^A-Za-z0-9_-]+")
LONGEST = 80
RESERVED = {"con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(1, 10))}
"""Names that Windows keeps for devices, whatever they end in."""
TAKEN = ("manifest.json", "sha256sums")


@dataclass(frozen=True, kw_only=True)
class FileNames:
    """Gives every address its file; two that differ in case only get names that differ in more."""

    home: str
    """The path of the leaderboard, which is the first page of the copy."""
    given: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=lambda: set(TAKEN))

    def give(self, address: str, content_type: str, disposition: str = "") -> str:
        if address not in self.given:
            name = self._propose(address, _ending(address, content_type, disposition))
            if name.casefold() in self.taken:
                name = _tell_apart(name, address)
            self.taken.add(name.casefold())
            self.given[address] = name
        return self.given[address]

    def _propose(self, address: str, ending: str) -> str:
        parts = urlsplit(address)
        inside = parts.path.removeprefix(self.home)
        folders = [part for part in inside.split("/") if part]
        last = folders.pop() if folders else "index"
        last = last.removesuffix(ending)
        asked = [word for pair in parse_qsl(parts.query) for word in pair]
        written = [_write(folder) for folder in folders]
        proposed = "/".join([*written, "-".join([_write(last), *map(_write, asked)])]) + ending
        if _is_faithful(proposed, [*folders, last, *asked]):
            return proposed
        return _tell_apart(proposed, address)


def _write(text: str) -> str:
    """What is left of it in a name; too long a text is cut."""
    return NOT_PLAIN.sub("-", text).strip("-")[:LONGEST]


def _is_faithful(proposed: str, texts: list[str]) -> bool:
    """Whether the name says all of the address, and may stand on any disk."""
    parts = [part.partition(".")[0].casefold() for part in proposed.split("/")]
    return all(text and _write(text) == text for text in texts) and not RESERVED & set(parts) and len(proposed) < 200


def _tell_apart(name: str, address: str) -> str:
    """By a digest of the address, for each folder on the way and the file."""
    *folders, last = name.split("/")
    stem, dot, ending = last.partition(".")
    digest = hashlib.sha256(address.encode()).hexdigest()[:12]
    kept = [f"{folder[:LONGEST]}-" if folder.casefold() in RESERVED or not folder else folder for folder in folders]
    return "/".join([*kept, f"{stem[:LONGEST].rstrip('-')}-{digest}{dot}{ending}".lstrip("-")])


def _ending(address: str, content_type: str, disposition: str) -> str:
    path = urlsplit(address).path
    written = HAS_ENDING.search(path)
    if written:
        return written[0]
    kind = content_type.partition(";")[0].strip()
    sent = ENDING_OF_FILE.search(disposition)
    return ENDINGS.get(kind) or (sent[1] if sent else ".bin")
