"""Figures of results, one kind a file: drawn by ourselves as SVG, no network and no browser."""
