"""What are figures of the gallery drawn from? Files of the repository, and the commands that make what is missing."""

from __future__ import annotations

PAPER = "--ranks demo/lin2021_reconstruction.csv.gz"
QRELS = "docs/examples/board/qrels.txt"
RUNS = "docs/examples/board/*.run.gz"
BOARD = f"{QRELS} {RUNS}"
KNOWN = "docs/examples/board/runs.csv"
PUBLISHED = "--leaderboard docs/examples/board/leaderboard.csv"
PRIVATE = "--private docs/examples/board/private.qrels"
SOME_BY_PEOPLE = "docs/examples/board/people.qrels"
MODEL_LABELS = "--model-qrels docs/examples/board/model.qrels"
JUDGMENTS = "docs/examples/board/judgments.txt"
POOLED = f"toprung labels pool {BOARD} --state judging"
JUDGED = f"toprung labels import {JUDGMENTS} --state judging"
RELABELLED = "toprung labels tournament --state judging -o better.qrels"
