"""Builds the optional compiled parts; everything else about the package is in pyproject.toml."""

import sys

# First of all: pip runs this file before it downloads any dependency, and looks at requires-python only after that.
if sys.version_info < (3, 12):  # noqa: UP036
    found = ".".join(map(str, sys.version_info[:3]))
    sys.exit(f"Found Python {found}; expected Python 3.12 or newer. Install one, and use its pip: python3.12 -m pip")

from collections.abc import Sequence
from glob import glob
from pathlib import Path

from setuptools import Extension, setup

STABLE_ABI = "0x030C0000"  # one binary for Python 3.12 and every later version
# Without contraction: a processor with a·b + c in one step would give other last bits than NumPy.
OPTIONS = [] if sys.platform == "win32" else ["-O3", "-ffp-contract=off"]


# Nobody looks at the flags and errno that comparisons and roots leave behind: without them, loops become vectors.
NO_FLAGS = [] if sys.platform == "win32" else ["-fno-trapping-math", "-fno-math-errno"]


def compiled(module: str, *, sources: str = "", options: Sequence[str] = ()) -> Extension:
    """A part in C; without a compiler the install succeeds, and Polars and NumPy do the work."""
    path = f"src/{module.replace('.', '/')}"
    return Extension(
        module,
        sorted(glob(sources)) or [f"{path}.c"],
        depends=glob(f"{Path(path).parent}/**/*.h", recursive=True),
        define_macros=[("Py_LIMITED_API", STABLE_ABI)],
        extra_compile_args=[*OPTIONS, *options],
        libraries=[] if sys.platform == "win32" else ["m"],
        py_limited_api=True,
        optional=True,
    )


setup(
    ext_modules=[
        compiled("toprung.data.formats._scan"),
        compiled("toprung.scoring._score"),
        compiled("toprung.report._rows"),
        compiled("toprung.stats.kernel._kernel", sources="src/toprung/stats/kernel/*.c"),
        compiled("toprung.stats.models._strengths", options=NO_FLAGS),
    ],
    options={"bdist_wheel": {"py_limited_api": "cp312"}},
)
