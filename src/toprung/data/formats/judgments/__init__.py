"""Judgment files: eight formats read, seven written."""
