"""Makes the first board of the demo, for ``toprung publish``: the live example of the docs."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from demo.board import PEOPLE, find_or_make, make_board
from demo.boards import BOARDS

from toprung.web.ops.start import set_up


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the data folder of the board; one that is there is made anew")
    folder: Path = parser.parse_args().folder.absolute()
    shutil.rmtree(folder, ignore_errors=True)
    first = BOARDS[0]
    files = first.build_in(folder / "made-from")
    set_up(folder)
    make_board(first, files, find_or_make(PEOPLE[0]))


if __name__ == "__main__":
    main()
