"""Can a guess from sizes, headers, ids, order and time tell golds from pairs? No better than a coin."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.web.cast import Cast
from tests.web.judging.areas import auc, guess
from tests.web.judging.guessing import FEATURES, Seen, look_at_tasks
from tests.web.judging.walking import Walker
from tests.web.judging.world import make_campaign

from toprung.web.core.models.judging import CampaignAccess

AT_MOST = 0.53
"""Area under the curve, over ten thousand pairs."""
SAME_IN_A_TASK = ("bytes of the page", "bytes of its headers", "cookies set", "bytes of the reply")
SLOTS = 13
ROOT = Path(__file__).parents[3]


TEXTS = {f"q{n:04}-1": "Some words that are all different: " + "".join(map(str, range(40 * n))) for n in range(1, 13)}
"""Passages from one line to pages of them; a packed page would tell how long its texts are."""


def check_equally_long(seen: Seen, n_tasks: int) -> None:
    assert sum(seen.is_gold) == 3 * n_tasks
    for name in SAME_IN_A_TASK:
        values = seen.features[:, FEATURES.index(name)].reshape(n_tasks, SLOTS)
        assert [len(set(of_task)) for of_task in values.tolist()] == [1] * n_tasks, name
    assert seen.features[:, FEATURES.index("bytes of the page")].min() > 12_000


def test_what_is_sent_is_equally_long_for_golds_and_pairs_also_where_pages_are_packed(cast: Cast) -> None:
    check_equally_long(look_at_tasks(make_campaign(cast, texts=TEXTS), 2), 2)


def test_it_is_equally_long_for_who_is_signed_in(cast: Cast) -> None:
    """Their pages are kept nowhere, and not packed all the same."""
    world = make_campaign(cast, texts=TEXTS, access=CampaignAccess.INVITED)
    check_equally_long(look_at_tasks(world, 1, signed_in=cast.assessor), 1)


def test_the_proxy_of_the_docs_packs_nothing() -> None:
    """Where it is installed nginx often packs pages, and does not look at what they say of it."""
    lines = [line.strip() for line in (ROOT / "docs/deploy/nginx.conf").read_text().splitlines()]
    assert [line for line in lines if line.startswith("gzip")] == ["gzip off;"]


def test_a_guess_on_few_pairs_is_within_chance(cast: Cast) -> None:
    """Five standard errors: a leak that always tells has an area of 1, and a coin fails once in a million times."""
    seen = look_at_tasks(make_campaign(cast, n_queries=40, n_golds=20), 5)
    areas = seen.areas()
    areas.pop("all")  # too few to fit
    assert seen.standard_error == pytest.approx(0.0853, abs=0.0005)  # 15 golds among 65: √(66 / (12 · 15 · 50))
    assert max(areas.values()) < 0.5 + 5 * seen.standard_error, areas


@pytest.mark.slow
def test_a_guess_on_ten_thousand_pairs_is_a_coin(cast: Cast) -> None:
    seen = look_at_tasks(make_campaign(cast, n_queries=3000, n_golds=60), 770)
    areas = seen.areas()
    print({name: round(area, 4) for name, area in areas.items()}, f"standard error {seen.standard_error:.4f}")
    assert len(seen.rows) >= 10_000
    assert max(areas.values()) <= AT_MOST, areas


def test_a_leak_is_found() -> None:
    """By hand: 6 of the 2 · 3 and 4.5 of 6 pairs of a gold and another; and where one of all features tells."""
    golds = np.array([True, True, False, False, False])
    assert auc(np.array([5.0, 4.0, 3.0, 2.0, 1.0]), golds) == 1.0
    assert auc(np.array([5.0, 2.0, 3.0, 2.0, 1.0]), golds) == pytest.approx(4.5 / 6)
    rng = np.random.default_rng(3)
    is_gold = rng.random(4000) < 3 / 13
    noise = rng.normal(size=(4000, len(FEATURES)))
    assert guess(noise, is_gold) < AT_MOST
    noise[:, 4] += 0.6 * is_gold  # two normal variables 0.6 apart: Φ(0.6 / √2) = 0.664
    found = Seen(rows=noise.tolist(), is_gold=is_gold.tolist()).areas()
    assert found["cookies set"] == pytest.approx(0.664, abs=0.03)
    assert 0.62 < found["all"] < 0.69


def test_no_team_run_or_person_of_the_board_is_in_a_page(cast: Cast) -> None:
    world = make_campaign(cast)
    walker = Walker(world.campaign)
    pages = [walker.get(), walker.begin(), walker.get("task.json"), walker.get("guidelines/"), walker.get("exit/")]
    walker.judge_all(world)
    pages += [walker.get("hand-in/"), walker.post("hand-in/"), walker.get("delete/"), walker.get("tell/")]
    shown = "".join(page.text + str(dict(page.headers)) for page in pages)
    people = [cast.organiser, cast.participant, cast.mate, cast.assessor]
    names = [cast.board.slug, cast.board.title, *(each.email for each in people)]
    names += [word for team in (cast.team, cast.other_team) for word in (team.slug, team.name)]
    assert [name for name in names if name in shown] == []
