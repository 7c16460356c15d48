"""Are there test pairs enough? Work stops where too few can be shown; who has met them all is tested by none."""

from __future__ import annotations

from collections.abc import Sequence

from toprung.data.judgments import Pair
from toprung.web.services.judging.campaigns.standing import CampaignStanding
from toprung.web.services.judging.texts import CampaignTexts
from toprung.words.wording import say_count


def warn_of_golds(standing: CampaignStanding) -> str:
    """What an organiser is told, and what to do; nothing while there are enough, or nothing is given out."""
    needed = standing.design.golds_per_task
    if not needed or not standing.campaign.gives_out_work or not standing.asks_anything:
        return ""
    can_show = CampaignTexts.of(standing.campaign).showable.can_show
    shown = {gold.pair for gold in standing.sitting.golds if can_show(gold.pair)}
    n_queries = len({pair.query_id for pair in shown})
    if n_queries < needed:
        return (
            f"No work is given out: of the {needed} test pairs that a task needs, {n_queries} can be shown. Keep more, "
            "or give the texts that are missing under Data."
        )
    return _say_met(len(shown), *_count_met(standing, shown, needed))


def _count_met(standing: CampaignStanding, golds: set[Pair], needed: int) -> tuple[int, int, int]:
    """Of people who may get work: who has too few new ones for a task, who will after the next one, and all."""
    blocked = standing.campaign.seats.exclude(blocked_at=None).values_list("assessor", flat=True)
    people = {each.assessor for each in standing.sitting.assignments} - set(blocked)
    new: Sequence[int] = [len(golds - standing.sitting.desk.seen_by(person)) for person in people]
    return sum(n < needed for n in new), sum(needed <= n < 2 * needed for n in new), len(people)


def _say_met(n_golds: int, n_met: int, n_soon: int, n_people: int) -> str:
    if not n_met and not n_soon:
        return ""
    people = say_count(n_people, "person", "people")
    if n_met:
        said = f"{n_met} of {people} {'has' if n_met == 1 else 'have'} met all {n_golds}"
        said += f", and {n_soon} more will with the next task" if n_soon else ""
    else:
        said = f"{n_soon} of {people} will have met all {n_golds} with the next task"
    return (
        f"Test pairs run out: {said}. From then on they meet the same ones again, and a test that is known finds "
        "nobody. Keep more, or ask more people."
    )
