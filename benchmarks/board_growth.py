"""What does one run more cost a board, beside computing all of it anew? ``python -m benchmarks.board_growth``.

Boards of 100 to 10,000 runs are made straight in the database, as if all had been settled before. Then one run comes:
it is settled, and what the pages show is computed, by the code that boards use. The peer is the same code without
anything that was kept: in turns with the runs that come, and once where it takes half a minute. Both are of both
audiences, written to the database: where scores are rounded, both see all runs; on the ladder of the board, everyone
sees those that did better than all before, and what is found for the two audiences is not shared.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figures import keep
from benchmarks.spent import Spent, timed

BOARDS = [100, 300, 1000, 10_000]
RELEASES = ["rounded:3", "board-ladder:auto"]
"""Where both audiences see the same runs, and the default of boards with hidden labels."""
MOST_OFTEN_ANEW = 1000
"""Runs of a board that is computed anew after each run that comes; a larger one is once."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="+", default=BOARDS, help="on the board (100 300 1000 10000)")
    parser.add_argument("--queries", type=int, default=1000, help="(default: 1000)")
    parser.add_argument("--release", nargs="+", help=f"policies (both; beyond {MOST_OFTEN_ANEW:,} runs {RELEASES[0]})")
    parser.add_argument("--repeat", type=int, default=5, help="runs that come, one after the other (default: 5)")
    options = parser.parse_args(arguments)
    print("## One run more on a board\n")
    print(f"- {options.queries:,} queries; CPU s of settling and of all that pages show, for both audiences")
    print(f"- one more: the least of {options.repeat} that come one after the other; all anew in turns with them, and")
    print(f"  once from more than {MOST_OFTEN_ANEW:,} runs on, as is a new best one")
    print("- memory: the most that the process held so far, all boards before included\n")
    print("| release | runs | everyone sees | one more | a new best one | all anew | anew ÷ one more | memory, MB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory(prefix="toprung-bench-") as folder:
        from toprung.web.ops.start import set_up

        set_up(Path(folder))
        for n_runs in options.runs:
            for release in options.release or usual_releases(n_runs):
                print_growth(n_runs, release, options.queries, options.repeat)
    return 0


def usual_releases(n_runs: int) -> list[str]:
    return RELEASES if n_runs <= MOST_OFTEN_ANEW else RELEASES[:1]


def print_growth(n_runs: int, release: str, n_queries: int, repeat: int) -> None:
    import numpy as np

    from benchmarks.board_data import RUNS_A_TEAM, draw_ranks, make_empty, make_runs, make_teams, show_settled
    from toprung.web.services.results.compute import compute_results

    board, labels, organiser = make_empty(f"growing-{n_runs}-{release.partition(':')[0]}", n_queries, release)
    teams = make_teams(-(-n_runs // RUNS_A_TEAM))
    ranks = draw_ranks(n_runs + repeat, n_queries)
    make_runs(board, labels, teams, organiser, ranks[:, :n_runs], are_settled=True)
    show_settled(board, labels)
    compute_results(board.pk)
    n_seen = board.submissions.exclude(shown_score=None).count()
    usual: list[Spent] = []
    anew: list[Spent] = []
    for place in range(n_runs, n_runs + repeat):
        make_runs(board, labels, teams, organiser, ranks[:, place : place + 1])
        usual.append(_grow(board.pk))
        if n_runs <= MOST_OFTEN_ANEW:
            anew.append(_compute_anew(board.pk))
    best = np.maximum(ranks.min(axis=1, keepdims=True, where=ranks > 0, initial=1), 1).astype(np.int32)
    make_runs(board, labels, teams, organiser, best)
    new_best = _grow(board.pk)
    anew = anew or [_compute_anew(board.pk)]
    least, whole = (min(spent.cpu_seconds for spent in each) for each in (usual, anew))
    cells = [least, new_best.cpu_seconds, whole, whole / least]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    shown = f"{n_seen:,} | {' | '.join(f'{cell:.2f}' for cell in cells)} | {memory:,.0f}"
    print(f"| {release} | {n_runs:,} | {shown} |", flush=True)
    if release == RELEASES[0]:
        keep(f"{n_runs:,} + 1", least, {"all anew": whole})


def _grow(board_pk: int) -> Spent:
    _, spent = timed(lambda: settle_and_compute(board_pk))
    return spent


def settle_and_compute(board_pk: int) -> None:
    """What a worker does once a run is scored."""
    from toprung.web.services.claims.settle import settle_board
    from toprung.web.services.results.compute import compute_results

    settle_board(board_pk)
    compute_results(board_pk)


def _compute_anew(board_pk: int) -> Spent:
    from django.conf import settings

    from toprung.web.core.models.boards import Board
    from toprung.web.services.results.compute import compute_results

    board = Board.objects.get(pk=board_pk)
    board.results.all().delete()
    board.standings.all().delete()
    Board.objects.filter(pk=board_pk).update(results_done=0)
    shutil.rmtree(settings.ENVIRONMENT.kept_pairs, ignore_errors=True)
    _, spent = timed(lambda: compute_results(board_pk))
    return spent


if __name__ == "__main__":
    sys.exit(main())
