"""What is said of a file that ends whatever reads it, or that takes too much? Once, to who sent it; then it is gone."""

from __future__ import annotations

from toprung.web.core.apart.process import OverLimitError
from toprung.web.services.runs.findings import WHOLE_FILE, FileFinding

MOST_DEATHS = 2
"""After so many a file is not read again: the first may have been an accident of the machine."""
NOTHING_COUNTED = "Nothing was counted against your quota, and the organisers are told."


def find_poison() -> FileFinding:
    return _refuse(
        f"Found a file that ended the process reading it, {MOST_DEATHS} times; expected a run.",
        "It is damaged, or made to do harm. Write it again as text, six columns in each line, and see on your own "
        "machine what is in it: `toprung validate`.",
    )


def find_over_limit(over: OverLimitError) -> FileFinding:
    return _refuse(
        f"Found a file whose check takes {over}; expected one that takes less.",
        "Cut it to the depth of the board, or write it as text, packed with gzip.",
    )


def find_endless() -> FileFinding:
    return _refuse(
        "The check did not come to an end, however often it was begun.",
        "The file may be too large for this server. Send it packed and cut to the depth of the board, or ask the "
        "organisers.",
    )


def _refuse(what: str, fix: str) -> FileFinding:
    return FileFinding(severity="error", where=WHOLE_FILE, what=what, fix=f"{fix} {NOTHING_COUNTED}")
