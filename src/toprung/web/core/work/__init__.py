"""Is the work being done? Which workers were seen, what waits, and what keeps dying."""
