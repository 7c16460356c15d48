"""What is a file called that came without a name? ``[NAME=]FILE``, said once for every command."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from toprung.data.formats.runs.files import COMPRESSION_ENDINGS, is_irds
from toprung.errors import InputError


def read_named(option: str, texts: Iterable[str]) -> dict[str, str]:
    """The files by their names; a file without one names itself.

    >>> read_named("--labels", ["old/2019.qrels.gz", "new=2020.qrels"])
    {'2019': 'old/2019.qrels.gz', 'new': '2020.qrels'}
    """
    named: dict[str, str] = {}
    for text in texts:
        name, path = _split(option, text)
        if name in named:
            raise InputError(f"{option}: found the name '{name}' twice; name them apart, as NAME=FILE.")
        named[name] = path
    return named


def _split(option: str, text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not equals or os.path.exists(text):  # a file may have an equals sign in its own name
        return name_of_file(text), text
    if not (name and path):
        raise InputError(f"{option}: found '{text}'; expected FILE, or NAME=FILE.")
    return name, path


def name_of_file(path: str) -> str:
    """The name of a file that is no run: without its compression and then its ending.

    >>> name_of_file("sets/labels.qrels.gz"), name_of_file("qrels.dev.tsv")
    ('labels', 'qrels.dev')
    """
    if is_irds(path):
        return path
    name = Path(path).name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    for ending in COMPRESSION_ENDINGS:
        name = name.removesuffix(ending)
    return Path(name).stem or path
