"""Builds the optional readers; everything else about the package is in pyproject.toml."""

from setuptools import Extension, setup

STABLE_ABI = "0x030C0000"  # one binary for Python 3.12 and every later version


def reader(name: str) -> Extension:
    """Optional: without a compiler the install succeeds and Polars does the reading."""
    return Extension(
        f"toprung.data.formats.{name}",
        [f"src/toprung/data/formats/{name}.c"],
        define_macros=[("Py_LIMITED_API", STABLE_ABI)],
        extra_compile_args=["-O3"],
        py_limited_api=True,
        optional=True,
    )


setup(
    ext_modules=[reader("_scan"), reader("_top_lines")],
    options={"bdist_wheel": {"py_limited_api": "cp312"}},
)
