"""Runs sent to a board: checked, charged against the quota, scored in the background."""
