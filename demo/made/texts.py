"""How are texts given to a board? One line of JSON each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


def write_texts(path: Path, id_name: str, texts: Mapping[str, str]) -> None:
    lines = (json.dumps({id_name: an_id, "text": text}, ensure_ascii=False) for an_id, text in texts.items())
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
