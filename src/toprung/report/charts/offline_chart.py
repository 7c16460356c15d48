"""How does a figure leave for Python? As an Altair chart that fetches nothing, and in which no name can be run.

Altair writes texts into a script as they are, and a name may end one. Such texts are parted by a joiner that nobody
sees, also in what is joined from these charts; and a page has the library inside.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import altair as alt

from toprung.report.charts.tokens import PAPER

if TYPE_CHECKING:
    from altair import TopLevelMixin as Written

    from toprung.report.charts.figure import Chart
else:
    Written = object  # Altair asks every class that is made from its own for what this one lacks

ENDS_SCRIPT = re.compile(r"<(?=[/!]|script)", re.IGNORECASE)
"""What a browser may take for the end of a script."""
JOINER = "\u2060"
SPEC_TYPE = f"application/vnd.vegalite.{alt.SCHEMA_VERSION.partition('.')[0]}+json"


class OfflineView(Written):
    """Saved as a page it has the library inside; a notebook gets a picture, and draws it anew where it can."""

    def to_html(self, *given: Any, **options: Any) -> str:
        return super().to_html(*given, **{"inline": True, **options})

    def save(self, fp: Any, *given: Any, **options: Any) -> None:
        named = [*given[:1], options.get("format"), os.fspath(fp) if isinstance(fp, str | os.PathLike) else None]
        ending = next((str(each) for each in named if each is not None), "")
        super().save(fp, *given, **{**({"inline": True} if ending.endswith("html") else {}), **options})

    def _repr_mimebundle_(self, *given: Any, **options: Any) -> Any:
        """What Altair gives would fetch its library; whoever chose another renderer gets what that gives."""
        from toprung.extras.pictures import vl_convert

        if alt.renderers.active != "default":
            return super()._repr_mimebundle_(*given, **options)
        spec = self.to_dict()
        on_paper = {**spec, "background": spec.get("background", PAPER)}
        return {SPEC_TYPE: spec, "image/svg+xml": vl_convert.vegalite_to_svg(on_paper), "text/plain": repr(type(self))}


class OfflineChart(OfflineView, alt.Chart):
    """One view."""


class OfflineLayers(OfflineView, alt.LayerChart):
    """Several over each other."""


class OfflineRow(OfflineView, alt.HConcatChart):
    """Several side by side."""


class OfflineColumn(OfflineView, alt.VConcatChart):
    """Several one below the other."""


OFFLINE = {
    alt.Chart: OfflineChart,
    alt.LayerChart: OfflineLayers,
    alt.HConcatChart: OfflineRow,
    alt.VConcatChart: OfflineColumn,
}


def to_offline(chart: Chart) -> Chart:
    """The same chart, harmless wherever it is written."""
    parted = _part(chart)
    made: Chart = OFFLINE[type(chart)](*parted._args, **parted._kwds)
    return made


def part_tags(text: str) -> str:
    """A text that ends no script, and looks as it did.

    >>> part_tags("</script> a < b") == f"<{JOINER}/script> a < b"
    True
    """
    return ENDS_SCRIPT.sub(f"<{JOINER}", text)


def _part(value: Any) -> Any:
    """The same with every text parted, also those inside what Altair made of them."""
    if isinstance(value, str):
        return part_tags(value)
    if isinstance(value, dict):
        return {key: _part(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_part(each) for each in value]
    if not isinstance(value, alt.SchemaBase):
        return value
    if value._args:
        return type(value)(*map(_part, value._args))
    copied = value.copy(deep=False)
    for key, each in value._kwds.items():
        copied[key] = _part(each)
    return copied
