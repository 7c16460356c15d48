"""Builds the optional compiled parts; everything else about the package is in pyproject.toml."""

import sys
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
