"""What does the same run cost in other formats? ``python -m benchmarks.formats``.

The run of 6.98 million lines as text, packed and as Parquet, and one of 579,300 lines whose queries are mixed, each
scored by the command in a process of its own, and by each peer that reads such a file; then ``convert``, beside the
one peer that does the same, and ``validate`` of the run with a faulty line and without. Commands take turns, slow peers
fewer. The ratios are to the text, and to what unpacking alone takes where the tool for it is there; those of peers to
Toprung on the same file.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.conditions import load_of_machine
from benchmarks.contenders import MEASURES, PEER_SCRIPTS, PEERS
from benchmarks.cost import Cost, best_of, run_child
from benchmarks.figures import keep
from benchmarks.inputs import DEFAULT_FOLDER, INPUTS, REPOSITORY, InputFiles, files_of

TOPRUNG = str(Path(sys.executable).with_name("toprung"))
READ_BY = {
    ".parquet": {"pytrec_eval", "ranx"},
    ".zst": {"pytrec_eval"},
    ".gz": {"pytrec_eval", "ir_measures", "ranx"},
    ".trec": {peer.name for peer in PEERS},
}
"""Which peers read a file that ends so; pytrec_eval reads dicts, so whatever Python reads."""
FAULTY = 2
"""How a command ends that refuses a file."""
TOGETHER, MIXED = "579,300 lines, queries together", "579,300 lines, queries mixed"
CONVERT, CONVERT_FEWER = "convert to Parquet", "579,300 lines to Parquet"
FEWER_ROUNDS = 2
"""Of a peer that takes as long as all others together."""
KEPT = {
    "Parquet": "Parquet",
    "zst": "zst",
    "gz": "gz",
    TOGETHER: "queries together",
    MIXED: "queries mixed",
    CONVERT: "convert to Parquet",
    CONVERT_FEWER: "convert 579,300 lines",
}
"""Under which name a figure is kept."""


@dataclass(frozen=True, kw_only=True)
class Job:
    name: str
    command: list[str]
    compared_to: str
    peer: str = ""
    """Who does what Toprung does in the job that this one is compared to."""
    exit_code: int = 0
    most_rounds: int | None = None
    needs_warm_up: bool = False
    unpacks: str = ""
    """The job that reads what this one only unpacks."""


@dataclass(frozen=True)
class OneRun:
    """The files of a contender that scores one run."""

    qrels: Path
    run: Path

    @property
    def runs(self) -> list[Path]:
        return [self.run]


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    load = load_of_machine()
    large, small = (located(name, options) for name in ("short", "unsorted"))
    made = options.folder / f"formats-{large.folder.parent.name}"
    make = [sys.executable, "-m", "benchmarks.formats_data", large.runs[0], small.runs[0], made]
    subprocess.run(list(map(str, make)), check=True, cwd=REPOSITORY)  # apart: who measures memory must stay small
    jobs = [job for job in all_jobs(large, small, made) if shutil.which(job.command[0])]
    costs = time_in_turns(jobs, options.repeat, made / "output.txt")
    keep_figures(jobs, costs)
    print("## The same run in other formats\n")
    print(f"- least of {options.repeat} rounds at most, in turns; {MEASURES!r} of the run, means to the terminal")
    print(f"- load average when it began: {load}\n")
    print("| input | rounds | CPU s | wall s | peak MB | compared to | CPU ÷ that |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for job in jobs:
        cost = costs[job.name]
        ratio = cost.cpu_seconds / costs[job.compared_to].cpu_seconds if job.compared_to in costs else float("nan")
        figures = f"{cost.cpu_seconds:.2f} | {cost.wall_seconds:.2f} | {cost.peak_bytes / 1e6:.0f}"
        print(f"| {job.name} | {rounds_of(job, options.repeat)} | {figures} | {job.compared_to} | {ratio:.2f} |")
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.formats", description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="rounds (default: 5)")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the queries (0.01: a smoke test)")
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER, help="default: build/bench")
    return parser.parse_args(arguments)


def located(name: str, options: argparse.Namespace) -> InputFiles:
    recipe = next(recipe for recipe in INPUTS if recipe.name == name)
    command = [sys.executable, "-m", "benchmarks.data", "--only", name, "--scale", str(options.scale)]
    subprocess.run([*command, "--folder", str(options.folder)], check=True, cwd=REPOSITORY, stdout=subprocess.DEVNULL)
    return files_of(recipe, folder=options.folder, scale=options.scale)


def all_jobs(large: InputFiles, small: InputFiles, made: Path) -> Iterator[Job]:
    measures = [argument for measure in MEASURES for argument in ("-m", measure)]

    def evaluate(name: str, files: InputFiles, run: Path, compared_to: str, threads: int = 0) -> Job:
        command = [TOPRUNG, "evaluate", str(files.qrels), str(run), "-j", str(threads), *measures]
        return Job(name=name, command=command, compared_to=compared_to)

    yield evaluate("text", large, large.runs[0], "text", threads=1)
    yield evaluate("text, all cores", large, large.runs[0], "text")
    yield evaluate("Parquet", large, made / "run.parquet", "text")
    yield from peers_on("Parquet", large, made / "run.parquet")
    for ending, tool in (("zst", "zstd"), ("gz", "gzip")):
        yield evaluate(ending, large, made / f"run.{ending}", f"{tool} -dc")
        yield from peers_on(ending, large, made / f"run.{ending}")
        unpack = shutil.which(tool) or tool
        command = [unpack, "-dc", str(made / f"run.{ending}")]
        yield Job(name=f"{tool} -dc", command=command, compared_to=f"{tool} -dc", unpacks=ending)
    yield evaluate(TOGETHER, small, small.runs[0], TOGETHER)
    yield evaluate(MIXED, small, made / "mixed.trec", TOGETHER)
    yield from peers_on(MIXED, small, made / "mixed.trec")
    convert = [TOPRUNG, "convert", str(large.runs[0]), str(made / "converted.parquet")]
    yield Job(name=CONVERT, command=convert, compared_to="text")
    yield from convert_fewer(small.runs[0], made)
    yield Job(name="validate", command=[TOPRUNG, "validate", str(large.runs[0])], compared_to="validate")
    faulty = [TOPRUNG, "validate", str(made / "faulty.trec")]
    yield Job(name="validate, a faulty line", command=faulty, compared_to="validate", exit_code=FAULTY)


def convert_fewer(run: Path, made: Path) -> Iterator[Job]:
    """By ranx too, which needs minutes and many gigabytes for the larger run."""
    command = [TOPRUNG, "convert", str(run), str(made / "fewer.parquet")]
    yield Job(name=CONVERT_FEWER, command=command, compared_to=CONVERT_FEWER)
    if "ranx" in {peer.name for peer in PEERS if peer.is_installed()}:
        script = str(PEER_SCRIPTS / "convert_with_ranx.py")
        command = [sys.executable, script, str(run), str(made / "ranx.parquet")]
        yield Job(
            name=f"{CONVERT_FEWER}, ranx",
            command=command,
            compared_to=CONVERT_FEWER,
            peer="ranx",
            most_rounds=FEWER_ROUNDS,
        )


def peers_on(name: str, files: InputFiles, run: Path) -> Iterator[Job]:
    """Those that are installed and read such a file."""
    is_large = name != MIXED
    for peer in PEERS:
        if peer.name in READ_BY[run.suffix] and peer.is_installed():
            yield Job(
                name=f"{name}, {peer.name}",
                command=peer.command(OneRun(files.qrels, run), run.parent),
                compared_to=name,
                peer=peer.name,
                most_rounds=peer.most_rounds_when_large if is_large else FEWER_ROUNDS if peer.needs_warm_up else None,
                needs_warm_up=peer.needs_warm_up,
            )


def time_in_turns(jobs: Sequence[Job], rounds: int, output: Path) -> dict[str, Cost]:
    costs: dict[str, list[Cost]] = {job.name: [] for job in jobs}
    if slow := [job for job in jobs if job.needs_warm_up]:
        time_once(slow[-1], output)  # of one peer, the last on the smallest file
    for done in range(rounds):
        for job in jobs:
            if done < rounds_of(job, rounds):
                costs[job.name].append(time_once(job, output))
    return {name: best_of(each) for name, each in costs.items()}


def keep_figures(jobs: Sequence[Job], costs: dict[str, Cost]) -> None:
    for name, kept in KEPT.items():
        same = [job for job in jobs if (job.peer and job.compared_to == name) or job.unpacks == name]
        beside = {job.peer or job.name: costs[job.name].cpu_seconds for job in same}
        keep(kept, costs[name].cpu_seconds, beside, costs[name].peak_bytes)


def rounds_of(job: Job, rounds: int) -> int:
    return rounds if job.most_rounds is None else min(rounds, job.most_rounds)


def time_once(job: Job, output: Path) -> Cost:
    finished = run_child(job.command, environment={}, stdout=output, stderr=output.with_suffix(".err"))
    if finished.exit_code != job.exit_code:
        raise SystemExit(f"{' '.join(job.command)} ended with {finished.exit_code}.")
    return finished.cost


if __name__ == "__main__":
    sys.exit(main())
