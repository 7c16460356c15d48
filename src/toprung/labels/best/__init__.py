"""Which answer is best? Tournaments, strengths, new labels, and challengers of the old ones."""
