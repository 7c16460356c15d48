"""Which script lets a page's charts answer a pointer? Vega with all it needs, bundled once for each version of it.

vl-convert takes seconds to bundle it, and the outcome is the same each time: it is kept in the user's cache folder.
A kept script counts only if it is whole; where nothing can be kept, it is bundled anew.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from toprung.data.formats.whole_files import replace_file
from toprung.report.page.packed import pack, packed_tag

EXPORT = "window.vegaEmbed = vegaEmbed;"
"""Of all its names the page sees this one."""


@dataclass(frozen=True, kw_only=True)
class ChartLibrary:
    """Vega with all it needs, as vl-convert ships it; of its names the page sees one."""

    script: str
    tag: str
    """The script packed, as the page carries it."""

    @classmethod
    def load(cls) -> ChartLibrary:
        script = f"(() => {{{_find_bundle()}\n}})();"
        return cls(script=script, tag=packed_tag("chart-library", pack(script)))


def kept_bundle() -> Path:
    """Where the bundle of the installed version is kept."""
    said = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(said) if Path(said).is_absolute() else Path.home() / ".cache"
    return folder / "toprung" / f"vega-of-vl-convert-{version('vl-convert-python')}.js"


def _find_bundle() -> str:
    bundle = _read_kept()
    if bundle is None:
        from toprung.extras.pictures import vl_convert

        bundle = str(vl_convert.javascript_bundle(EXPORT))
        _keep(bundle)
    return bundle


def _read_kept() -> str | None:
    """None where there is none, or another text than was kept."""
    try:
        digest, _, bundle = kept_bundle().read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError, RuntimeError):  # no file; not a text; no home
        return None
    return bundle if digest == _digest(bundle) else None


def _keep(bundle: str) -> None:
    with suppress(OSError, RuntimeError):
        path = kept_bundle()
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, f"{_digest(bundle)}\n{bundle}")


def _digest(bundle: str) -> str:
    """Of the bundle and what it shows: another choice of names is another bundle."""
    return hashlib.sha256(f"{EXPORT}\n{bundle}".encode()).hexdigest()
