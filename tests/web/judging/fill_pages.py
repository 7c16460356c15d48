"""Fills a data folder with all that judging has pages for; says as JSON where they are and who is signed in.

Studies as in ``fill``, one whose passages are long and run from right to left, and on a second board a campaign as an
organiser sees it: half judged, with somebody careless, new labels to review, and a draft beside it. Run by itself,
before the server starts.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from toprung.web.ops.start import set_up

HEBREW = "התשובה לשאלה הזאת כתובה כאן במילים רבות ובסדר הנכון. "
N_STUDY, N_LONG = 40, 5


def main(folder: Path) -> None:
    set_up(folder)
    from tests.web.busy_boards import sign_in
    from tests.web.cast import make_cast
    from tests.web.judging.fill import fill_with

    (folder / "files").mkdir(exist_ok=True)
    cast = make_cast()
    told = {name: f"/judge/{key}/" for name, key in fill_with(cast, N_STUDY).items()}
    organised = replace(cast, board=cast.other_board, organiser=cast.other_organiser)
    told |= _fill_organised(organised)
    told["long"] = _fill_long(cast)
    print(json.dumps({"paths": told, "session": sign_in(organised.organiser)}))


def _fill_long(cast: Any) -> str:
    """Of each pair one passage of a hundred lines in Hebrew, and one as long in English."""
    from tests.web.cast import make_board
    from tests.web.judging.world import make_campaign

    board = make_board("long", cast.organiser)
    texts = {f"{first}{n:04}-0": HEBREW * 120 for first in "qg" for n in range(1, 13)}
    texts |= {
        f"{first}{n:04}-1": "A long passage in English, line after line. " * 120 for first in "qg" for n in range(1, 13)
    }
    world = make_campaign(
        replace(cast, board=board),
        slug="long",
        n_queries=6,
        n_items=2,
        texts=texts,
        lang="he",
        allows_highlighting=True,
    )
    return f"/judge/{world.campaign.key}/"


def _fill_organised(cast: Any) -> dict[str, str]:
    from tests.web.judging.campaigns import draft, judge_all, work

    from toprung.web.services.judging.campaigns.live import watch
    from toprung.web.services.judging.campaigns.review import compute_review
    from toprung.web.services.judging.campaigns.start import start

    campaign = start(draft(cast, design={"target": 0.8, "at_least": 0.8}), by=cast.organiser)
    work(campaign, "careless", is_careless=True, ms=900)
    judge_all(campaign, most=5)
    for compute in (watch, compute_review):
        compute(campaign.pk)
    here = f"/b/{cast.board.slug}"
    one = f"{here}/organise/judging/{campaign.slug}/"
    asked = campaign.reports.get(kind="queries").content
    return {
        "campaigns": f"{here}/organise/judging/",
        "new campaign": f"{here}/organise/judging/+new/",
        "spare minutes": f"{here}/spare-minutes/",
        "campaign": one,
        "open queries": f"{one}open/",
        "query": f"{one}queries/{min(asked)}/",
        **{name: f"{one}{name}/" for name in ("golds", "texts", "assessors", "pay", "review")},
        "draft": _fill_draft(cast),
    }


def _fill_draft(cast: Any) -> str:
    """A second campaign that has not begun, with what it will buy."""
    from tests.web.judging.campaigns import CHOSEN

    from toprung.web.core.models.labels import LabelUse
    from toprung.web.services.judging.campaigns.estimate import estimate
    from toprung.web.services.judging.campaigns.plan import CampaignChoices, create_campaign

    label_set = cast.board.label_sets.get(use=LabelUse.OFFICIAL, is_current=True)
    chosen = {**CHOSEN, "title": "Third look"}
    choices = CampaignChoices(label_set=label_set, campaign=chosen, design={"platform": "own", "seed": 8})
    made = create_campaign(cast.board, choices, by=cast.organiser)
    estimate(made.pk)
    return f"/b/{cast.board.slug}/organise/judging/{made.slug}/"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
