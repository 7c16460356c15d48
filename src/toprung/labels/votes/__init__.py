"""What did assessors say? Outcomes of pairs, their errors, and the audit of a single run."""
