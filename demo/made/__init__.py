"""Data made for the demo: runs, labels and texts of boards that nobody ever ran."""
