"""A campaign that many people of a platform judge at once, in a data folder that is served then; says its key.

Run by itself, before the server starts: ``python -m tests.chaos.judging_stage FOLDER QUERIES TASKS``.
"""

from __future__ import annotations

import sys
from decimal import Decimal
from pathlib import Path

from benchmarks.judging_client import STUDY

from toprung.web.ops.start import set_up

SLUG, N_GOLDS = "load", 40
REWARD = Decimal("2.00")


def main(folder: Path, n_queries: int, n_tasks: int) -> None:
    """Of each query three pairs, each asked once; the money pays for so many tasks."""
    set_up(folder)
    from django.db import transaction
    from tests.web.cast import make_cast
    from tests.web.judging.world import make_campaign

    from toprung.web.core.models.campaigns import CampaignDesign, PlanKind
    from toprung.web.core.models.judging import CampaignAccess

    (folder / "files").mkdir(exist_ok=True)
    with transaction.atomic():
        world = make_campaign(
            make_cast(),
            slug=SLUG,
            access=CampaignAccess.PROLIFIC,
            study_id=STUDY,
            reward=REWARD,
            budget=n_tasks * REWARD,
            n_queries=n_queries,
            n_golds=N_GOLDS,
        )
        CampaignDesign.objects.create(campaign=world.campaign, plan=PlanKind.VOTES, votes=1)
    print(world.campaign.key)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
