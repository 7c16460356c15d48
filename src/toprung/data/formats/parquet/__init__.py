"""Parquet files of strangers: what they claim is checked before anything is made of it."""
