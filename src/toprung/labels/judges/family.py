"""Does a judge know the runs it judges? Models of one family tend to prefer each other's answers.

All that is compared are names: a run shares the judge's family if the family's name stands in the run's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

FIRST_WORD = re.compile(r"[a-z]+")
LEAST = 3
"""Letters: fewer stand in too many names."""
JOINTS = re.compile(r"[\W_]+")


def family_of(model: str) -> str:
    """The first letters of a model's name, behind whoever made it; the whole name if they are too few to say much.

    >>> family_of("gpt-4o-mini"), family_of("meta-llama/Llama-3.1-8B"), family_of("o3"), family_of("4")
    ('gpt', 'llama', 'o3', '')
    """
    name = model.rsplit("/", 1)[-1].lower()
    found = FIRST_WORD.match(name)
    if not found:
        return ""
    return found[0] if len(found[0]) >= LEAST else name


def runs_of_family(family: str, runs: Iterable[str]) -> list[str]:
    """The runs whose name holds the family's, whatever its case and joints.

    >>> runs_of_family("llama", ["RankLLaMA-13b", "bm25", "my_lla-ma"])
    ['RankLLaMA-13b', 'my_lla-ma']
    """
    wanted = JOINTS.sub("", family.lower())
    if len(wanted) < LEAST:  # too short to look for inside of words
        return [run for run in runs if wanted and wanted in JOINTS.split(run.lower())]
    return [run for run in runs if wanted in JOINTS.sub("", run.lower())]
