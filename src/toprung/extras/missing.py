"""What is said where a package of an extra is not installed?"""

from __future__ import annotations

from toprung.errors import MissingPackageError


def say_missing(package: str, *, extra: str, for_what: str) -> MissingPackageError:
    """The error to raise.

    >>> str(say_missing("polars", extra="frames", for_what="frames"))
    "Found no package polars, which frames need; expected the extra: pip install 'toprung[frames]'."
    """
    return MissingPackageError(
        f"Found no package {package}, which {for_what} need; expected the extra: pip install 'toprung[{extra}]'."
    )
