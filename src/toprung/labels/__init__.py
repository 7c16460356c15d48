"""Are the labels still good enough? Runs ─► pool ─► pairs ─► tasks ─► judgments ─► tournament ─► new qrels.

Nothing here scores a run: whatever needs scores after relabelling is in ``analyses/relabel``.
"""
