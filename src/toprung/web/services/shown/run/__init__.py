"""One run: where it stands and what it proved, in words."""
