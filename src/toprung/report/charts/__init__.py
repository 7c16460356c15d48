"""Figures of results, one kind a file: drawn with Altair, written by vl-convert, no network and no browser."""
