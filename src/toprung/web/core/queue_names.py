"""What waits for people, and what for nobody? Read by the settings, so nothing of Django is imported here."""

from __future__ import annotations

URGENT = "urgent"
"""Checks, scores and claims: somebody looks at the page until they are done. They are short."""
LATER = "later"
"""All else: what the pages show, mails, rescoring, tidying."""
LEASE_SECONDS = 30
"""For how long a worker holds a task without a word; then another takes it up."""
