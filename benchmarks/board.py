"""What does a page of a large board cost, and how many can look at once? ``python -m benchmarks.board``.

Boards with 10, 100 and 1,000 submissions are made straight in the database from a fixed seed, then settled and computed
by the code that boards use, and served by ``toprung serve``. CPU is that of the web server's processes; who asks is
another process.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import psutil

ADDRESS = re.compile(r"Toprung is at (http://\S+),")
PAGES = (
    "",
    "?page=2",
    "?sort=rank",
    "?sort=run",
    "?sort=score",
    "?sort=-answered",
    "?sort=length",
    "?sort=-against",
    "?sort=cost",
    "?sort=ms",
    "?sort=-date",
    "?sort=arrival",
    "?q=number+7",
    "?per=best",
    "embed/",
    "history/",
    "runs/R7/",
    "export.csv",
    "export.json",
    "export.tex",
    "export.pdf",
)
LOOKED_AT = ("", "?page=3", "?sort=-answered", "history/")
"""By those who come all at once."""
WARM_UP = 20
MADE_ANEW = {"Authorization": "none"}
"""Who says anything of themselves has a page made, and gets none that is kept for everyone."""


@dataclass(frozen=True, kw_only=True)
class Server:
    """A board that is served: where, and by which processes."""

    address: str
    process: psutil.Process

    def cpu_seconds(self) -> float:
        """Of the web server's processes so far, without the worker."""
        return sum(
            cpu_of(each, with_ended=False)
            for each in self.process.children(recursive=True)
            if "toprung.web.ops.web_server" in each.cmdline()
        )

    def worker_cpu_seconds(self) -> float:
        """Of the workers, and of what they start to read files."""
        return sum(
            cpu_of(each, with_ended=True)
            for worker in self.workers()
            for each in (worker, *worker.children(recursive=True))
        )

    def workers(self) -> list[psutil.Process]:
        """Without the children in which they read files from strangers."""
        return [each for each in self.process.children() if "ox_worker" in each.cmdline()]


def cpu_of(process: psutil.Process, *, with_ended: bool) -> float:
    """Seconds so far, of those that it started and that ended too."""
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:  # it ended just now, and its parent has what it took
        return 0.0
    ended = times.children_user + times.children_system if with_ended else 0.0
    return float(times.user + times.system + ended)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    print("## A board with many submissions\n")
    with tempfile.TemporaryDirectory(prefix="toprung-bench-") as folder:
        slugs = make_boards(Path(folder), options.runs, options.queries)
        with served(Path(folder)) as server:
            print(f"\n| page | {' | '.join(f'{n:,} runs' for n in options.runs)} |")
            print(f"|---|{'---:|' * len(options.runs)}")
            for page in options.pages:
                print_costs(server, slugs, page, options.requests)
            failed = print_load(server, slugs[-1], options)
    return failed


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="+", default=[10, 100, 1000], help="submissions (10 100 1000)")
    parser.add_argument("--queries", type=int, default=1000, help="(default: 1000)")
    parser.add_argument("--pages", nargs="+", default=PAGES, help="after the address of a board (all that are listed)")
    parser.add_argument("--requests", type=int, default=100, help="a page, one after the other (default: 100)")
    parser.add_argument("--clients", type=int, default=50, help="at once (default: 50)")
    parser.add_argument("--seconds", type=float, default=20.0, help="that they ask for (default: 20)")
    return parser.parse_args(arguments)


def make_boards(folder: Path, sizes: Sequence[int], n_queries: int) -> list[str]:
    from toprung.web.ops.start import set_up

    set_up(folder)
    from benchmarks.board_data import make_board

    slugs = []
    for n_runs in sizes:
        made = make_board(n_runs, n_queries)
        print(
            f"- {n_runs:,} submissions on {n_queries:,} queries: settled in {made.settling.cpu_seconds:.1f} s CPU, "
            f"what the pages show computed in {made.computing.cpu_seconds:.1f} s CPU",
            flush=True,
        )
        slugs.append(made.slug)
    return slugs


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    command = [str(Path(sys.executable).with_name("toprung")), "serve", "--data", str(folder), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None  # for the type checker: it is a pipe
        found = next(match for line in process.stdout if (match := ADDRESS.match(line)))
        yield Server(address=found[1], process=psutil.Process(process.pid))
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def print_costs(server: Server, slugs: Sequence[str], page: str, requests: int) -> None:
    costs = [cost_of(server, f"/b/{slug}/{page}", requests) for slug in slugs]
    cells = " | ".join(f"{1000 * seconds:.1f} ms, {size / 1000:.0f} kB" for seconds, size in costs)
    print(f"| `/{page}` | {cells} |", flush=True)


def cost_of(server: Server, path: str, requests: int) -> tuple[float, int]:
    """CPU seconds a request, and bytes of the page."""
    ask(server.address, path, WARM_UP)
    before = server.cpu_seconds()
    size = ask(server.address, path, requests)
    return (server.cpu_seconds() - before) / requests, size


def ask(address: str, path: str, times: int) -> int:
    place = urlsplit(address)
    connection = HTTPConnection(place.hostname or "", place.port, timeout=120)
    size = 0
    for _ in range(times):
        connection.request("GET", path, headers=MADE_ANEW)
        response = connection.getresponse()
        size = len(response.read())
        if response.status != 200:
            raise RuntimeError(f"{path}: found {response.status}; expected 200")
    connection.close()
    return size


def print_load(server: Server, slug: str, options: argparse.Namespace) -> int:
    """Everyone on the largest board; 1 where anything but a page came back."""
    asked = [server.address, options.seconds, options.clients, 0, *(f"/b/{slug}/{page}" for page in LOOKED_AT)]
    before = server.cpu_seconds()
    command = [sys.executable, "-m", "benchmarks.board_client", *map(str, asked)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    spent, found = server.cpu_seconds() - before, json.loads(done.stdout)
    answers, waits = found["answers"], np.array(found["waits"])
    median, slow = np.quantile(waits, [0.5, 0.95])
    told = ", ".join(f"{count:,} × {answer}" for answer, count in answers.items())
    print(
        f"\n{options.clients} clients for {options.seconds:g} s on {options.runs[-1]:,} submissions: {told}; "
        f"{len(waits) / options.seconds:.0f} a second, {1000 * spent / len(waits):.1f} ms CPU each; they waited "
        f"{median:.2f} s in the median, 95% of them up to {slow:.2f} s."
    )
    return 0 if set(answers) == {"200"} else 1


if __name__ == "__main__":
    sys.exit(main())
