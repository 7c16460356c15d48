"""What is loaded once, before children are forked? All that reads files, scores and draws: a child starts at once then.

Nothing here may read a file: Polars starts its threads with the first one, and threads do not survive a fork.
"""

from __future__ import annotations

import importlib
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: a pool of its threads would be lost in each child

LOADED = (
    "numpy",
    "polars",
    "toprung.report.charts.kinds.miss_cost",
    "toprung.report.charts.kinds.rank_differences",
    "toprung.report.charts.kinds.significance_grid",
    "toprung.web.services.boards.history_file",
    "toprung.web.services.boards.toml_reading",
    "toprung.web.services.bundle.reading",
    "toprung.web.services.data.reading",
    "toprung.web.services.judging.campaigns.reading",
    "toprung.web.services.labels.reading",
    "toprung.web.services.query.reading",
    "toprung.web.services.results.drawing",
    "toprung.web.services.runs.checking",
    "toprung.web.services.runs.reading_tops",
    "toprung.web.services.runs.scoring",
)

for module in LOADED:
    importlib.import_module(module)
