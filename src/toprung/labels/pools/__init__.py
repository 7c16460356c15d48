"""Which answers are compared? Pools of the runs' first answers, and samples of queries."""
