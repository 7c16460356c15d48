"""What can a board still see? The smallest gain over the holder that the next claim would show four times in five."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from toprung.boards.engine.gains import smallest_gain

if TYPE_CHECKING:
    from toprung.web.services.results.material import BoardMaterial


def find_next_gain(material: BoardMaterial) -> dict[str, Any] | None:
    """With the number of that claim and its level; None where nothing is tested, or nobody to differ from.

    The gain is None where the queries are too few for any.
    """
    followed = material.findings.followed
    if not followed.policy.is_tested:
        return None
    n_queries, level = len(material.findings.matrix.query_ids), followed.state.next_level
    gain = smallest_gain(material.findings.usual_spread, n_queries, level=level, rule=followed.policy.rule)
    claim = {"level": level, "number": followed.state.tested + 1}
    if math.isinf(smallest_gain(1.0, n_queries, level=level, rule=followed.policy.rule)):
        return {"gain": None} | claim
    if not math.isfinite(gain):
        return None
    return {"gain": material.release.widened(0.0, gain)[1] if material.is_public else gain} | claim
