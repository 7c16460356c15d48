"""Polars, for frames, Parquet, judgments, runs given as objects, and files that the compiled scanner does not read."""

from __future__ import annotations

from toprung.extras.missing import say_missing

try:
    import polars as pl
except ModuleNotFoundError:
    what = "frames, Parquet, judgments, runs given as objects or with mixed queries, and checking or converting files"
    raise say_missing("polars", extra="frames", for_what=what) from None

__all__ = ["pl"]
