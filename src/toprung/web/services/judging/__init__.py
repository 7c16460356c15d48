"""Judging on the web: someone comes by a link, consents, compares answers, is thanked; nobody is known by name."""
