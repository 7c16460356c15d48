"""What does a campaign hold after many judged at once? Counted beside the server, by a process of its own; as JSON.

Whatever was stored, logged or can be exported is searched for the names that the platform has for people and sessions.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.judging_client import PLATFORM_MARK, platform_id
from tests.chaos.judging_stage import SLUG

from toprung.web.ops.start import open_folder

MOST_PEOPLE = 10
"""So many are looked for by the digests of their names: that they are found tells that the search finds."""


def main(folder: Path, log: Path) -> None:
    open_folder(folder, as_it_is=True)
    from toprung.web.core.models.judging import Campaign

    campaign = Campaign.objects.get(slug=SLUG)
    print(json.dumps({**count_answers(campaign), **count_tasks(campaign), **search(campaign, folder, log)}))


def count_answers(campaign: Any) -> dict[str, Any]:
    from toprung.web.core.store.judging_records import CampaignRecords

    given = [each for each in CampaignRecords(campaign).read_judgments().rows if each.supersedes is None]
    seen = Counter((each.assessor, each.pair) for each in given if not each.is_gold)
    slots = Counter((each.assessor, each.task_id, each.slot) for each in given)
    return {
        "answers": {each.judgment_id: each.choice for each in given},
        "answers kept": len(given),
        "answers kept twice": len(given) - len({each.judgment_id for each in given}),
        "slots answered twice": _n_above(slots, 1),
        "pairs twice to one person": _n_above(seen, 1),
    }


def count_tasks(campaign: Any) -> dict[str, Any]:
    from toprung.labels.tasks.assignments import AssignmentStage
    from toprung.labels.tasks.sitting import Sitting
    from toprung.web.core.store.judging_records import CampaignRecords
    from toprung.web.services.judging.money import cost_per_task, most_tasks, tasks_saved

    store = CampaignRecords(campaign)
    desk, n_saved = Sitting(store).desk, tasks_saved(campaign, store)
    stages = Counter(each.stage for each in desk.assignments)
    used = [each for each in desk.assignments if each.stage is AssignmentStage.ACCEPTED]
    votes = Counter(slot.pair for each in used for slot in desk.tasks[each.task_id].slots if not slot.is_repeat)
    golds = {gold.pair for gold in desk.golds}
    holders = Counter(each.task_id for each in desk.assignments if not each.is_released)
    return {
        "tasks paid": desk.n_paid,
        "tasks the money pays for": most_tasks(campaign, n_saved=n_saved),
        "spent": str(desk.n_paid * cost_per_task(campaign)),
        "tasks used": len(used),
        "tasks with missed golds": stages[AssignmentStage.EXCLUDED],
        "tasks left open": sum(each.is_open for each in desk.assignments),
        "above the budget": int((desk.n_paid - n_saved) * cost_per_task(campaign) > (campaign.budget or 0)),
        "pairs with more votes than planned": sum(n > 1 for pair, n in votes.items() if pair not in golds),
        "tasks with two people": _n_above(holders, 1),
        "impossible events": desk.book.n_impossible,
    }


def _n_above(counted: Counter[Any], most: int) -> int:
    return sum(n > most for n in counted.values())


def search(campaign: Any, folder: Path, log: Path) -> dict[str, Any]:
    """Places with a name of the platform; and whether the search finds a name that must be there, as a digest."""
    from toprung.web.services.judging.prolific import assessor_of

    digests = [assessor_of(campaign, platform_id(number)).encode() for number in range(MOST_PEOPLE)]
    places = [*_tables(), *_files(folder), ("log", log.read_bytes()), *_exports(campaign)]
    found = {name for name, content in places if any(digest in content for digest in digests)}
    return {
        "places searched": len(places),
        "bytes of log": log.stat().st_size,
        "platform ids found in": [name for name, content in places if PLATFORM_MARK.encode() in content.lower()],
        "not searched": sorted({"web_assessorseat", "web_judgingrecord", "export as jsonl"} - found),
    }


def _tables() -> Iterator[tuple[str, bytes]]:
    """Each as the database has it, whichever it is."""
    from django.db import connection

    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{name}"')
            rows = cursor.fetchall()
            yield name, "\n".join(str([_plain(value) for value in row]) for row in rows).encode()


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    return ((path.name, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file())


def _exports(campaign: Any) -> Iterator[tuple[str, bytes]]:
    from toprung.web.services.judging.campaigns.export import FORMATS, export_campaign

    for name in FORMATS:
        content = export_campaign(campaign, name, by=campaign.created_by).content
        yield f"export as {name}", content
        if zipfile.is_zipfile(io.BytesIO(content)):
            archive = zipfile.ZipFile(io.BytesIO(content))
            yield from ((f"export as {name}: {each}", archive.read(each)) for each in archive.namelist())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
