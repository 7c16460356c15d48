"""How is a stored sentence read? Runs are stored by their labels; people are told the names that they may know.

Which name a run goes by is asked when it is shown, for an embargo lifts by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from toprung.web.core.access.namer import Identity
from toprung.web.core.access.viewer import Viewer
from toprung.web.services.shown.board.verdict import name_runs

LABEL = re.compile(r"\b[BR]\d{1,9}\b")
"""What runs and baselines are called on every board."""
TEXT = re.compile(r"<text\b[^>]*>([^<]*)</text>")


def identities_of(viewer: Viewer, labels: Iterable[str]) -> dict[str, Identity]:
    """Who made each of these runs, as far as this person may know."""
    runs = viewer.board.submissions.filter(run_id__in=set(labels)).select_related("team")
    return {each.run_id: viewer.namer.name(each) for each in runs}


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Names in the place of labels; a label without a name stays.

    >>> with_names("R3 and R31 cannot be told apart.", {"R3": "list-13b"})
    'list-13b and R31 cannot be told apart.'
    """
    return LABEL.sub(lambda found: names.get(found[0], found[0]), text)


def names_in(viewer: Viewer, *texts: str) -> dict[str, str]:
    """The names of all runs that these texts speak of, by their labels."""
    return name_runs(viewer, {label for text in texts for label in LABEL.findall(text)})


def called_in(viewer: Viewer, figures: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Label and name of each run that stored figures write beside a mark; one that goes by its label is left out."""
    texts = [text for each in figures for text in TEXT.findall(each["svg"])]
    names = names_in(viewer, *texts)
    labels = dict.fromkeys(label for text in texts for label in LABEL.findall(text))
    return [(label, names[label]) for label in labels if names.get(label, label) != label]


def say_called(viewer: Viewer, figures: Iterable[Mapping[str, Any]]) -> str:
    """The same in a line, for a file."""
    said = ", ".join(f"{label} is {name}" for label, name in called_in(viewer, figures))
    return f"{viewer.board.title}. {said}." if said else f"{viewer.board.title}."
