"""Where does a page come from? The lines at its foot."""

from __future__ import annotations

from collections.abc import Mapping

from toprung.report.page.words import words


def write_provenance(provenance: Mapping[str, object], extra: str = "") -> str:
    """The foot of a page: what was computed from what; ``extra`` stands at its end."""
    said = "".join(
        f"<div><dt>{words(_in_words(key))}</dt><dd>{words(_say(value))}</dd></div>"
        for key, value in provenance.items()
        if value not in (None, "")
    )
    return f'<footer class="provenance"><div class="wrap"><dl>{said}</dl>{extra}</div></footer>\n'


def _say(value: object) -> str:
    """A value, also where it is a list or has parts."""
    if isinstance(value, Mapping):
        return ", ".join(f"{_in_words(str(key))} {_say(each)}" for key, each in value.items() if each not in (None, ""))
    if isinstance(value, list | tuple):
        return "; ".join(map(_say, value))
    return str(value)


def _in_words(key: str) -> str:
    return key.replace("_", " ")
