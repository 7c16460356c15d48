"""Drawings that stand elsewhere: a badge, and the picture of a link. SVG by themselves, without any stylesheet."""
