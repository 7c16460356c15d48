"""Which judges worked here, and of which family? Noted in the state's manifest, for warnings about their own kin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toprung.labels.audit import read_audits
from toprung.labels.judges.family import runs_of_family
from toprung.labels.pool import LABEL
from toprung.labels.pool_store import read_pools
from toprung.labels.state import State
from toprung.labels.upkeep import read_challenges
from toprung.wording import list_names

JUDGES = "judges"


def note_judge(state: State, name: str, **known: Any) -> None:
    """Keep what is known of a judge, such as its model and family."""
    judges = dict(state.manifest.get(JUDGES, {}))
    entry = {what: value for what, value in known.items() if value}
    if judges.get(name) != entry:
        judges[name] = entry
        state.note({JUDGES: judges})


def runs_in(state: State) -> list[str]:
    """The names of all runs whose answers are judged here."""
    pooled = {name for pool in read_pools(state) for names in pool.sources.values() for name in names}
    challenging = {each.run for each in read_challenges(state)}
    return sorted((pooled | challenging | read_audits(state).keys()) - {LABEL})


def family_warnings(state: State, families: Iterable[str] = ()) -> Iterator[str]:
    """A warning for each family of judges, and each that is named, that has runs here."""
    of_judges = [str(each.get("family", "")) for each in state.manifest.get(JUDGES, {}).values()]
    runs = runs_in(state)
    for family in dict.fromkeys([*families, *of_judges]):
        if found := runs_of_family(family, runs):
            yield (
                f"Warning: by their names, {list_names(found)} and the judge are of the family '{family}'. Models tend "
                "to prefer answers of their own family."
            )
