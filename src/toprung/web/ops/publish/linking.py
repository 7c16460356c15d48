"""Where do the links of a copy lead? From file to file, so that it works on a disk and in any folder of a site."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders

from toprung.errors import InputError
from toprung.web.ops.publish.addresses import is_elsewhere, is_static, locate, without_fragment
from toprung.web.ops.publish.collecting import Found
from toprung.web.ops.publish.rewriting import rewrite

STATIC = "static"


def link_pages(found: Found, folder: Path) -> None:
    """Every page that was collected, with the links of the copy."""
    for address in found.pages:
        name = found.files[address]
        path = folder / name
        path.write_text(rewrite(path.read_text(), _resolver(found, address, name)).text)


def add_static_files(found: Found, folder: Path) -> None:
    for path in found.static:
        name = path.removeprefix(settings.STATIC_URL)
        source = finders.find(name)
        if source is None:
            raise InputError(f"{path}: found no such file; expected it with Toprung. Is the installation whole?")
        target = folder / STATIC / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(Path(source).read_bytes())


def _resolver(found: Found, page: str, name: str) -> Callable[[str], str | None]:
    """For the links of one page."""

    def resolve(link: str) -> str | None:
        if link.startswith("#"):
            return link
        address = locate(link, page)
        if is_elsewhere(address):
            return link
        if is_static(address):
            target: str | None = f"{STATIC}/{address.path.removeprefix(settings.STATIC_URL)}"
        else:
            target = found.file_of(without_fragment(address))
        if target is None:
            return None
        relative = posixpath.relpath(target, posixpath.dirname(name) or ".")
        return f"{relative}#{address.fragment}" if address.fragment else relative

    return resolve
