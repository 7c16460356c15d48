"""Makes adhoc8_stability.json: Toprung's own figures for TREC ad hoc 8, AP of 129 runs on 50 topics.

They are no truth from elsewhere: they hold the code to what it gave when they were made, so that a change that moves a
rank is seen. ``python tests/reference/make_adhoc8_stability.py FOLDER`` needs the folder of score matrices, which are
not part of this repository. Only figures are kept, by place; no scores and no names.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from toprung.analyses.stability.find import stability
from toprung.data.formats.tables.matrix_files import read_scores

FILE = "adhoc8_ap.csv"
DECIMALS = 6


def values_of(folder: Path) -> dict[str, object]:
    """Ranks, shares and intervals, the best score first."""
    (board,) = stability(read_scores(folder / FILE, measure="AP"), tau=1, seed=0).boards
    found = board.intervals
    return {
        "runs": len(board.runs),
        "queries": board.n_queries,
        "expected_ranks": board.expected_ranks.round(DECIMALS).tolist(),
        "shares_of_the_first_five": board.mass[:5, :5].round(DECIMALS).tolist(),
        "low": found.low.tolist(),
        "high": found.high.tolist(),
        "may_be_best": board.is_among_best.astype(int).tolist(),
        "pairs_judged": found.n_judged,
    }


def main() -> None:
    values = values_of(Path(sys.argv[1]))
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in values.items()]
    Path(__file__).with_name("adhoc8_stability.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
