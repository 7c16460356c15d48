"""Builds the optional compiled parts; everything else about the package is in pyproject.toml."""

import sys

from setuptools import Extension, setup

STABLE_ABI = "0x030C0000"  # one binary for Python 3.12 and every later version


def compiled(module: str) -> Extension:
    """A part in C; without a compiler the install succeeds and Python's packages do the work."""
    return Extension(
        module,
        [f"src/{module.replace('.', '/')}.c"],
        define_macros=[("Py_LIMITED_API", STABLE_ABI)],
        extra_compile_args=[] if sys.platform == "win32" else ["-O3", "-ffp-contract=off"],
        libraries=[] if sys.platform == "win32" else ["m"],
        py_limited_api=True,
        optional=True,
    )


setup(
    ext_modules=[
        compiled("toprung.data.formats._scan"),
        compiled("toprung.scoring._score"),
        compiled("toprung.report._rows"),
    ],
    options={"bdist_wheel": {"py_limited_api": "cp312"}},
)
