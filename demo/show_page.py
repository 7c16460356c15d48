"""Opens a page where there is a desktop to show it on, and says where it is."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path


def main(page: Path) -> None:
    address = page.resolve().as_uri()
    if has_desktop() and webbrowser.open(address):
        print(f"Opened in a browser: {address}")
    else:
        print(f"Open it in a browser: {address}")


def has_desktop() -> bool:
    """Whether a browser would have a screen: one that runs in the terminal is not meant."""
    if os.environ.get("CI"):
        return False
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
