"""Fills the data folder that a server under test serves with campaigns; says as JSON how their links are called.

Run by itself, before the server starts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from toprung.web.ops.start import set_up

N_QUERIES = 40


def main(folder: Path, n_queries: int) -> None:
    set_up(folder)
    from django.db import transaction
    from tests.web.cast import make_cast

    (folder / "files").mkdir(exist_ok=True)
    with transaction.atomic():
        told = fill_with(make_cast(), n_queries)
    print(json.dumps(told))


def fill_with(cast: object, n_queries: int) -> dict[str, str]:
    """Campaigns of a board by what they are for; each has a reward of two dollars."""
    from decimal import Decimal

    from tests.web.cast import Cast
    from tests.web.judging.world import make_campaign

    from toprung.web.core.models.judging import CampaignAccess, Ending

    assert isinstance(cast, Cast)
    codes = {Ending.COMPLETE: "C1K8Q7TZ", Ending.LEFT_EARLY: "C2LEFT"}
    sent: dict[str, Any] = {"access": CampaignAccess.PROLIFIC, "study_id": "study-0123456789", "codes": codes}
    plain: dict[str, Any] = {"reward": Decimal("2.00"), "n_queries": n_queries, "n_golds": 40}
    told = {"open": make_campaign(cast, slug="open", budget=Decimal(1_000), **plain)}
    told["prolific"] = make_campaign(cast, slug="prolific", with_texts=False, **sent, **plain)
    told["ties"] = make_campaign(
        cast, slug="ties", with_texts=False, allows_ties=True, allows_highlighting=True, **plain
    )
    return {name: world.campaign.key for name, world in told.items()}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else N_QUERIES)
