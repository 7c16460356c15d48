"""How many must there be before a sentence says anything of them? The floor that sentences about votes share."""

from __future__ import annotations

FEWEST = 20
"""Of fewer queries, votes or pairs of votes a share may be nearly anything: its 95% interval is 0.4 wide and more."""
