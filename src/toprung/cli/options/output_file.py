"""The options that name a file to write: what speaks against the file is said before anything is computed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from toprung.data.formats.content import STDIN
from toprung.data.formats.whole_files import check_folder, is_same_file
from toprung.errors import InputError
from toprung.report.render import check_ending


class OutputFile(click.Path):
    """A file to write, in a folder that exists."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        check_output(value)
        return super().convert(value, param, ctx)


class OutputOption(click.Option):
    """An option that names an `OutputFile`, and refuses a file that the command line names elsewhere.

    With ``endings`` the name must end in one of them, unless ``--format`` says how to write.
    """

    def __init__(self, *declarations: Any, endings: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__(*declarations, **{"type": OutputFile()} | attributes)
        self.endings = tuple(endings)

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """``opts`` holds what stands on the command line, whether Click has looked at it yet or not."""
        output, args = super().handle_parse_result(ctx, opts, args)
        if isinstance(output, Path) and not ctx.resilient_parsing and not _takes_all(output):
            refuse_if_named_elsewhere(output, (opts[name] for name in opts if name != self.name), option=self.opts[0])
            if self.endings and not {"output_format", "report_format"} & {*opts}:
                check_ending(output, self.endings, or_else="; --format FORMAT serves any name")
        return output, args


def check_output(path: str | os.PathLike[str]) -> None:
    """Refuse a file that has no folder to stand in, and ``-``, which is the name of no file."""
    if os.fspath(path) == STDIN:
        raise InputError("Found '-' as an output; expected a file. For the standard output say /dev/stdout.")
    check_folder(path)


def _takes_all(output: Path) -> bool:
    """Whether this is a pipe or a terminal: it needs no ending, and nothing is lost there."""
    return output.exists() and not output.is_file()


def refuse_if_named_elsewhere(output: Path, given: Iterable[Any], *, option: str) -> None:
    """Refuse an output that is one of the files given beside it, or a file that a judging effort given lives in."""
    for text in _texts_in(given):
        if text and is_same_file(output, text):
            raise InputError(
                f"Found {option} {output}, the same file as {text}, which this command also names; expected another "
                "file to write."
            )
        if text and os.path.isdir(text) and _is_of_effort(output, text):
            raise InputError(f"Found {output} as output, a file of the judging effort itself; expected another place.")


def _texts_in(given: Iterable[Any]) -> Iterator[str]:
    """All texts, and of NAME=FILE the file alone as well."""
    for value in given:
        if isinstance(value, str):
            yield from (value, value.partition("=")[2])
        elif isinstance(value, list | tuple):
            yield from _texts_in(value)


def _is_of_effort(output: Path, folder: str) -> bool:
    from toprung.labels.effort.effort import Effort  # only here: most commands are given no folder

    return Effort(Path(folder)).owns(output)
