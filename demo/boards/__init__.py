"""Which boards has the demo? Four, in the order in which they are made."""

from __future__ import annotations

from functools import partial

from demo.boards import deep, everyday, manuals, reconstruction
from demo.made.board import DemoBoard, Planted
from demo.made.run import known_of

BOARDS = (
    DemoBoard(
        slug="everyday",
        build=everyday.build,
        known=partial(known_of, everyday.RUNS),
        planted=Planted(may_be_best=frozenset(everyday.MAY_BE_BEST), proved=everyday.PROVED),
        files=(("queries", "queries.jsonl"), ("passages", "passages.jsonl")),
    ),
    DemoBoard(
        slug="deep",
        build=deep.build,
        known=partial(known_of, deep.RUNS),
        planted=Planted(
            may_be_best=frozenset(run.name for run in deep.RUNS if run.skill[0] == deep.BEST),
            proved=("birch-mono", "hazel-list"),
        ),
    ),
    DemoBoard(
        slug="reconstruction",
        build=reconstruction.build,
        known=reconstruction.known_of_runs,
        planted=Planted(may_be_best=frozenset({"R13", "R12", "R11", "R10", "R9", "R8"}), proved=("R5", "R11")),
    ),
    DemoBoard(
        slug="manuals",
        build=manuals.build,
        known=partial(known_of, manuals.RUNS),
        planted=Planted(
            may_be_best=frozenset({"slate-mono", "umber", "slate-list", "umber-2"}), proved=("quartz-1", "slate-mono")
        ),
        files=(("queries", "queries.jsonl"),),
        new_labels="v2.qrels",
    ),
)
