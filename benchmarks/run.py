"""How does Toprung compare with its peers? ``python -m benchmarks.run`` times them all."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.conditions import load_of_machine
from benchmarks.contenders import (
    PEER_NAMES,
    PEERS,
    PEERS_BY_QUERY,
    TOPRUNG,
    TOPRUNG_BY_QUERY,
    TOPRUNG_WITHOUT_SCANNER,
    Contender,
)
from benchmarks.figures import keep
from benchmarks.inputs import (
    DEFAULT_FOLDER,
    INPUT_NAMES,
    INPUTS,
    REPOSITORY,
    BenchmarkInput,
    InputFiles,
    files_of,
)
from benchmarks.results import Results, finished_by_subject, to_markdown
from benchmarks.timing import Timing, time_in_turns, warm_up

START_UP = "start-up"
START_UP_ROUNDS = 5
BY_QUERY = "marco13-per-query"
"""Each query's value is told, not the means alone."""
KEPT = {"short": "text of 6.98M lines", "marco13": "13 runs, means", BY_QUERY: "13 runs, every query"}
# Start-up is timed on this input, and peers are warmed up on it.
SMALL = next(recipe for recipe in INPUTS if recipe.name == "small")
MANY_RUNS = next(recipe for recipe in INPUTS if recipe.name == "marco13")


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    load = load_of_machine()
    make_inputs(options)
    peers = [peer for peer in PEERS if peer.name in options.peers]
    wanted: list[Contender] = [TOPRUNG, TOPRUNG_WITHOUT_SCANNER, *peers]
    installed = [contender for contender in wanted if contender.is_installed()]
    results = Results(
        timings=time_all(installed, options),
        missing=[contender.name for contender in wanted if contender not in installed],
        repeat=options.repeat,
        scale=options.scale,
        load=load,
    )
    page = to_markdown(results)
    print(page)
    keep_figures(results.timings)
    if options.output:
        options.output.write_text(page)
    return 1 if any(timing.has_failed for timing in results.timings) else 0


def keep_figures(timings: Sequence[Timing]) -> None:
    for toprung, *others in finished_by_subject(timings):
        if toprung.subject in KEPT and toprung.contender.name == TOPRUNG.name:
            peers = {each.contender.name: each.cost.cpu_seconds for each in others if each.contender.name in PEER_NAMES}
            keep(KEPT[toprung.subject], toprung.cost.cpu_seconds, peers, toprung.cost.peak_bytes)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    names = (*INPUT_NAMES, BY_QUERY, START_UP)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="INPUT")
    parser.add_argument("--peers", nargs="*", choices=PEER_NAMES, default=PEER_NAMES, metavar="PEER")
    parser.add_argument("--repeat", type=int, default=5, help="rounds per input (default: 5)")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the queries (0.01: a smoke test)")
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER, help="default: build/bench")
    parser.add_argument("-o", "--output", type=Path, help="also write the results to this Markdown file")
    return parser.parse_args(arguments)


def make_inputs(options: argparse.Namespace) -> None:
    # In a child, for this process has to stay small: see cost.run_child.
    names = {SMALL.name, *options.only, *([MANY_RUNS.name] if BY_QUERY in options.only else [])} - {START_UP, BY_QUERY}
    command = [sys.executable, "-m", "benchmarks.data", "--only", *sorted(names)]
    settings = ["--scale", str(options.scale), "--folder", str(options.folder)]
    subprocess.run([*command, *settings], check=True, cwd=REPOSITORY, stdout=sys.stderr)


def time_all(contenders: Sequence[Contender], options: argparse.Namespace) -> list[Timing]:
    timings: list[Timing] = []
    small_files = located(SMALL, options)
    for contender in contenders:
        if contender.needs_warm_up:
            announce(f"warming up {contender.name}")
            warm_up(contender, small_files)
    if START_UP in options.only:
        timings += time_start_up(contenders, small_files)
    for recipe in INPUTS:
        if recipe.name in options.only:
            timings += time_input(recipe.name, recipe, contenders, options)
    if BY_QUERY in options.only:
        tell_queries = [TOPRUNG_BY_QUERY, *(peer for peer in PEERS_BY_QUERY if peer.name in options.peers)]
        timings += time_input(BY_QUERY, MANY_RUNS, [each for each in tell_queries if each.is_installed()], options)
    return timings


def time_start_up(contenders: Sequence[Contender], small_files: InputFiles) -> list[Timing]:
    timings = [Timing(START_UP, TOPRUNG, START_UP_ROUNDS)] if TOPRUNG in contenders else []
    time_in_turns(timings, small_files)
    return timings


def time_input(
    subject: str, recipe: BenchmarkInput, contenders: Sequence[Contender], options: argparse.Namespace
) -> list[Timing]:
    announce(f"timing {subject}")
    scaled = recipe.scaled(options.scale)
    timings = [Timing(subject, each, rounds_of(each, scaled, options.repeat)) for each in contenders]
    time_in_turns(timings, located(recipe, options))
    return timings


def rounds_of(contender: Contender, recipe: BenchmarkInput, repeat: int) -> int:
    if recipe.is_large and contender.most_rounds_when_large:
        return min(repeat, contender.most_rounds_when_large)
    return repeat


def located(recipe: BenchmarkInput, options: argparse.Namespace) -> InputFiles:
    return files_of(recipe, folder=options.folder, scale=options.scale)


def announce(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
