"""What can a board still see? The smallest gain over the holder that the next claim would show four times in five."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from toprung.boards.engine.gains import smallest_gain, usual_spread
from toprung.data.matrices import to_scores

if TYPE_CHECKING:
    from toprung.web.services.results.material import BoardMaterial


def find_next_gain(material: BoardMaterial) -> dict[str, Any] | None:
    """With the number of that claim and its level; None where nothing is tested, or nobody to differ from."""
    followed = material.findings.followed
    if not followed.policy.is_tested:
        return None
    scores, level = to_scores(material.findings.matrix), followed.state.next_level
    spread = usual_spread(scores, followed.challenged.run, scores.runs)
    gain = smallest_gain(spread, len(scores.query_ids), level=level, rule=followed.policy.rule)
    if not math.isfinite(gain):
        return None
    shown = material.release.widened(0.0, gain)[1] if material.is_public else gain
    return {"gain": shown, "level": level, "number": followed.state.tested + 1}
