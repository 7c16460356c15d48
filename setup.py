"""Builds the optional scanner; everything else about the package is in pyproject.toml."""

from glob import glob

from setuptools import Extension, setup

STABLE_ABI = "0x030C0000"  # one binary for Python 3.12 and every later version

setup(
    ext_modules=[
        Extension(
            "toprung.data.formats._scan",
            ["src/toprung/data/formats/_scan.c"],
            depends=glob("src/toprung/data/formats/scan/*.h"),
            define_macros=[("Py_LIMITED_API", STABLE_ABI)],
            extra_compile_args=["-O3"],
            py_limited_api=True,
            optional=True,  # without a compiler the install succeeds and Polars does the reading
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp312"}},
)
