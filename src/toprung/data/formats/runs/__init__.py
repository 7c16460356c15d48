"""Run files: recognised, scanned, checked, written."""
