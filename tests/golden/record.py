"""``python -m tests.golden.record`` writes the records anew; ``--dump FOLDER`` writes all outputs as files instead.

Record what was changed on purpose, and read the diff of the records before it is committed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

import django
from django.test.utils import setup_test_environment
from tests.golden.api import make_api_part
from tests.golden.commands import make_commands_part
from tests.golden.part import Part
from tests.golden.results import make_results_part

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.web.settings")


def make_site_part() -> Part:
    from tests.golden.site import make_site_part  # its models can be imported once Django is set up

    return make_site_part()


PARTS: dict[str, Callable[[], Part]] = {
    "results": make_results_part,
    "commands": make_commands_part,
    "api": make_api_part,
    "site": make_site_part,
}


def main() -> int:
    options = _parse()
    django.setup()
    setup_test_environment()
    found = [line for name in options.only or PARTS for line in _handle(PARTS[name](), options)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


def _handle(part: Part, options: argparse.Namespace) -> list[str]:
    """What is not as recorded, where that is asked for."""
    if options.check:
        return list(part.compare(options.check))
    if options.dump:
        part.dump(options.dump)
    else:
        part.write_records()
    return []


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.golden.record", description=__doc__)
    parser.add_argument("--only", action="append", choices=PARTS, help="This part alone; can be given again.")
    parser.add_argument("--dump", type=Path, metavar="FOLDER", help="Write every output as a file, and no records.")
    parser.add_argument("--check", type=Path, metavar="FOLDER", help="Say what differs, and write it to the folder.")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
