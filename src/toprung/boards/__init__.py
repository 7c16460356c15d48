"""What is a board without a server? Outcomes, verdicts, claims, release, policy, and its archive."""
