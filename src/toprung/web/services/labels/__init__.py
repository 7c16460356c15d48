"""How do the labels of a board change? A new version is published, prepared in the background, and then current.

From the moment it is published every run is scored on the version, in the background, and so is every run that comes
meanwhile. Pages show the version before until all of that is done and the results under the new one are stored; then
labels, scores and pages change in one transaction. What was shown under earlier versions stays stored as it was.
Claims stand as recorded, and the holder holds the rung until a later claim succeeds under the new labels.
"""
