"""What is recorded, and how is it compared? A part of the outputs: texts kept whole, and texts kept as digests.

A text that is short, or that one reads in a diff, is kept as it is; of the others a digest is kept, and ``--dump``
writes them to be compared.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

RECORDS = Path(__file__).parent / "records"
HEX = 16
"""Letters of a digest."""
SHORT = 60
"""Letters of a text that is kept as it is."""
NOT_IN_A_FILE_NAME = re.compile(r"[^\w.=&,@-]+")

type Digests = dict[str, dict[str, str | list[str]]]


@dataclass(frozen=True, kw_only=True)
class Part:
    """Outputs of one kind, with all that varies from run to run put aside."""

    name: str
    whole: Mapping[str, str] = field(default_factory=dict)
    """By the name of the file they are kept in."""
    digested: Mapping[str, Mapping[str, str | list[str]]] = field(default_factory=dict)
    """By what they are of and in which form; a list is kept as it is."""

    def digests(self) -> Digests:
        return {of: {form: _kept(text) for form, text in forms.items()} for of, forms in self.digested.items()}

    def write_records(self) -> None:
        RECORDS.mkdir(exist_ok=True)
        for name, text in self.whole.items():
            (RECORDS / name).write_text(text, encoding="utf-8")
        if self.digested:
            self._digest_file.write_text(_to_json(self.digests()), encoding="utf-8")

    def dump(self, folder: Path) -> None:
        """Every text as a file: those of two revisions can be compared by ``diff -r``."""
        for name, text in self.whole.items():
            _write(folder / name, text)
        for of, forms in self.digested.items():
            for form in forms:
                self._dump_one(folder, of, form)

    def compare(self, folder: Path) -> Iterator[str]:
        """A line for whatever is not as recorded; what it is now is written to the folder."""
        for name, text in self.whole.items():
            if _read(RECORDS / name) != text:
                _write(folder / name, text)
                yield f"{name} differs: diff {RECORDS / name} {folder / name}"
        before: Digests = json.loads(_read(self._digest_file) or "{}")
        now = self.digests()
        for of in sorted(before.keys() | now.keys()):
            yield from self._compare_forms(of, before.get(of, {}), now.get(of, {}), folder)

    def _compare_forms(
        self, of: str, before: Mapping[str, object], now: Mapping[str, object], folder: Path
    ) -> Iterator[str]:
        for form in sorted(before.keys() | now.keys()):
            if form not in now:
                yield f"{self.name}: {of} {form} is no more"
            elif before.get(form) != now[form]:
                said = "differs" if form in before else "is new"
                yield f"{self.name}: {of} {form} {said}: see {self._dump_one(folder, of, form)}"

    def _dump_one(self, folder: Path, of: str, form: str) -> Path:
        text = self.digested[of][form]
        path = folder / self.name / _to_file_name(of) / _to_file_name(form)
        _write(path, text if isinstance(text, str) else "\n".join(text) + "\n")
        return path

    @property
    def _digest_file(self) -> Path:
        return RECORDS / f"{self.name}.json"


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:HEX]


def _kept(text: str | list[str]) -> str | list[str]:
    if isinstance(text, list) or (len(text) <= SHORT and "\n" not in text):
        return text
    return f"sha256:{digest_of(text)}"


def _to_json(digests: Digests) -> str:
    return json.dumps(digests, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _to_file_name(text: str) -> str:
    return NOT_IN_A_FILE_NAME.sub("_", text).strip("_")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
