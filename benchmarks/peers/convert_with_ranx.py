"""Turns a run of text into Parquet with ranx, through its own reader and writer: RUN TABLE."""

import sys

from ranx import Run

if __name__ == "__main__":
    Run.from_file(sys.argv[1], kind="trec").save(sys.argv[2])
