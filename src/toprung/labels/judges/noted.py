"""Which judges worked here, and of which family? Noted in the state's manifest, for warnings about their own kin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toprung.labels.best.upkeep import read_challenges
from toprung.labels.effort.effort import Effort
from toprung.labels.judges.family import runs_of_family
from toprung.labels.pools.pool import LABEL
from toprung.labels.pools.store import read_pools
from toprung.labels.votes.audit import read_audits
from toprung.words.wording import list_names

JUDGES = "judges"


def note_judge(effort: Effort, name: str, **known: Any) -> None:
    """Keep what is known of a judge, such as its model and family."""
    judges = dict(effort.manifest.get(JUDGES, {}))
    entry = {what: value for what, value in known.items() if value}
    if judges.get(name) != entry:
        judges[name] = entry
        effort.note({JUDGES: judges})


def runs_in(effort: Effort) -> list[str]:
    """The names of all runs whose answers are judged here."""
    pooled = {name for pool in read_pools(effort) for names in pool.sources.values() for name in names}
    challenging = {each.run for each in read_challenges(effort)}
    return sorted((pooled | challenging | read_audits(effort).keys()) - {LABEL})


def family_warnings(effort: Effort, families: Iterable[str] = ()) -> Iterator[str]:
    """A warning for each family of judges, and each that is named, that has runs here."""
    of_judges = [str(each.get("family", "")) for each in effort.manifest.get(JUDGES, {}).values()]
    runs = runs_in(effort)
    for family in dict.fromkeys([*families, *of_judges]):
        if found := runs_of_family(family, runs):
            yield (
                f"Warning: by their names, {list_names(found)} and the judge are of the family '{family}'. Models tend "
                "to prefer answers of their own family."
            )
