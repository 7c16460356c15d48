"""Which place? Rank mass and intervals, ties, letters, tiers, and how far two orders agree."""
