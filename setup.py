"""Builds the optional scanner and kernel; everything else about the package is in pyproject.toml."""

from glob import glob

from setuptools import Extension, setup

STABLE_ABI = "0x030C0000"  # one binary for Python 3.12 and every later version


def optional_extension(name: str, sources: list[str], *, options: tuple[str, ...] = (), **more: list[str]) -> Extension:
    """Without a compiler the install succeeds, and Polars and NumPy do the work."""
    return Extension(
        name,
        sources,
        define_macros=[("Py_LIMITED_API", STABLE_ABI)],
        extra_compile_args=["-O3", *options],
        py_limited_api=True,
        optional=True,
        **more,
    )


setup(
    ext_modules=[
        optional_extension("toprung.data.formats._scan", ["src/toprung/data/formats/_scan.c"]),
        optional_extension(
            "toprung.stats.kernel._kernel",
            sorted(glob("src/toprung/stats/kernel/*.c")),
            depends=["src/toprung/stats/kernel/kernel.h"],
            options=("-ffp-contract=off",),  # else a processor with a·b + c in one step gives other last bits
        ),
    ],
    options={"bdist_wheel": {"py_limited_api": "cp312"}},
)
