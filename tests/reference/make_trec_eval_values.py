"""Makes trec_eval_values.json from the runs and labels beside it, with pytrec_eval (trec_eval 9's own code).

``python tests/reference/make_trec_eval_values.py`` needs toprung[bench]. ``run.txt`` and ``qrels.txt`` have
ties, lines in no order, queries on one side only, a query with nothing relevant, and grades from -1 to 3. Their
scores are multiples of 1/4, so 32 bits hold them exactly. The scores of ``float32_run.txt`` all differ as
64-bit numbers and tie in groups of four as 32-bit numbers, which is what trec_eval 9 compares.
"""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent
MEASURES = {
    "recip_rank",
    "ndcg",
    "ndcg_cut.5,10",
    "map",
    "map_cut.5",
    "P.5,10",
    "recall.5,20",
    "success.1,5,10",
    "num_ret",
    "num_rel",
    "num_rel_ret",
}
BY_LEVEL = MEASURES - {"ndcg", "ndcg_cut.5,10", "num_ret"}
"""The measures that ask from which grade on a document is relevant."""

Values = dict[str, dict[str, float]]


def read_run(path: Path) -> dict[str, dict[str, float]]:
    run: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query_id, _, doc_id, _, score, _ = line.split()
        run.setdefault(query_id, {})[doc_id] = float(score)
    return run


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query_id, _, doc_id, grade = line.split()
        qrels.setdefault(query_id, {})[doc_id] = int(grade)
    return qrels


def values_of(name: str, measures: set[str], level: int = 1) -> Values:
    import pytrec_eval

    qrels = read_qrels(HERE / f"{name}qrels.txt")
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures, relevance_level=level)
    by_query: Values = evaluator.evaluate(read_run(HERE / f"{name}run.txt"))
    return {query_id: dict(sorted(by_query[query_id].items())) for query_id in sorted(by_query)}


def main() -> None:
    values = {
        "level 1": values_of("", MEASURES),
        "level 2": values_of("", BY_LEVEL, level=2),
        "32-bit": values_of("float32_", MEASURES),
    }
    (HERE / "trec_eval_values.json").write_text(json.dumps(values, indent=1) + "\n")


if __name__ == "__main__":
    main()
