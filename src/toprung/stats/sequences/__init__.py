"""Decisions one after the other: claims as they come, best of three, sequential tests."""
