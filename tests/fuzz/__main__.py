"""Look for files that do harm: ``python -m tests.fuzz READER... --minutes M``; ``all`` for every reader."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.fuzz.drive import Tally, fuzz
from tests.fuzz.readers import READERS


def main() -> int:
    options = _parse()
    names = list(READERS) if options.readers == ["all"] else options.readers
    harm = False
    print("| reader | minutes | files | read | refused | harm | most memory, MB |\n|---|---|---|---|---|---|---|")
    for name in names:
        tally = fuzz(name, seconds=60 * options.minutes, seed=options.seed)
        print(_row(name, tally), flush=True)
        _keep(name, tally, options.folder)
        harm |= bool(tally.harmful)
    return int(harm)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("readers", nargs="+", choices=["all", *READERS], metavar="READER", help=", ".join(READERS))
    parser.add_argument("--minutes", type=float, default=10.0, help="for each reader (default: 10)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="where files that did harm are kept")
    return parser.parse_args()


def _row(name: str, tally: Tally) -> str:
    harm = tally.n_files - tally.counts["read"] - tally.counts["refused"]
    counts = f"{tally.n_files:,} | {tally.counts['read']:,} | {tally.counts['refused']:,} | {harm:,}"
    return f"| {name} | {tally.seconds / 60:.1f} | {counts} | {tally.largest_growth / 1e6:.0f} |"


def _keep(name: str, tally: Tally, folder: Path) -> None:
    for number, (data, outcome) in enumerate(tally.harmful):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}-{number}").write_bytes(data)
        print(f"{folder / f'{name}-{number}'}: {outcome}", file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
