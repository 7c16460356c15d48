"""How does a copy come into its folder? Whole, in the place of the one before; nothing else is ever deleted."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from toprung.boards.archive.manifest import MANIFEST, Member
from toprung.errors import InputError
from toprung.web.ops.publish.contents import SUMS, list_files, read_manifest, walk

FOR_EVERYONE_FOLDER, FOR_EVERYONE_FILE = 0o755, 0o644
"""What is public may be read by all, such as a web server, whatever else this process makes for its owner alone."""


@contextmanager
def folder_for(target: Path) -> Iterator[Path]:
    """An empty folder beside the target; when all went well it takes the target's place, else it is gone."""
    target = target.resolve()
    check_folder(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}-"))
    try:
        yield made
        _open_to_everyone(made)
        check_folder(target)  # writing took its time
        _swap(made, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def check_folder(target: Path) -> None:
    """It is not there, empty, or a copy that was made before and not changed since."""
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError(f"{target}: found a file; expected a folder, or nothing yet.")
    if not any(target.iterdir()):
        return
    manifest = read_manifest(target)
    if manifest is None:
        raise InputError(
            f"{target}: found a folder with something else in it; expected none, an empty one, or an earlier copy."
        )
    _check_is_as_made(target, manifest.by_name)


def _check_is_as_made(target: Path, known: dict[str, Member]) -> None:
    links = [path for path in walk(target) if path.is_symlink()]
    others = [name for name in list_files(target) if name not in known and name not in (MANIFEST, SUMS)]
    if links or others:
        name = others[0] if others else links[0].relative_to(target).as_posix()
        raise InputError(
            f"{target}: found {name}, which is not of the copy that was made there; expected that copy alone. Move the "
            "file elsewhere, or give another folder."
        )
    for name, each in known.items():
        path = target / name
        if path.exists() and Member.of_file(name, path) != each:
            raise InputError(
                f"{path}: found it changed since it was made; expected it as it was. Delete the folder yourself, or "
                "give another."
            )


def _open_to_everyone(folder: Path) -> None:
    folder.chmod(FOR_EVERYONE_FOLDER)
    for path in walk(folder):
        path.chmod(FOR_EVERYONE_FOLDER if path.is_dir() else FOR_EVERYONE_FILE)


def _swap(made: Path, target: Path) -> None:
    """An empty folder is replaced at once; a copy is put aside for the moment that takes."""
    if not target.exists() or not any(target.iterdir()):
        made.rename(target)
        return
    aside = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}-before-"))
    target.rename(aside)
    try:
        made.rename(target)
    except OSError:
        aside.rename(target)
        raise
    shutil.rmtree(aside)
