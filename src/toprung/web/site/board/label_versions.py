"""How did the labels of a board change, and what does that change? Every version that was shown, the latest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from toprung.report.charts.svg.setting import PHONE
from toprung.web.core.access.namer import Identity
from toprung.web.core.access.viewer import Viewer, get_viewer_from
from toprung.web.core.asked import same_for_everyone
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.store.label_versions import CHANGE, shown_versions
from toprung.web.core.store.provenance import shorten
from toprung.web.services.judging.campaigns.publish import say_sureness
from toprung.web.services.judging.campaigns.upkeep_words import find_upkeep
from toprung.web.services.labels.words import say_difference
from toprung.web.services.results.content import without_drawings
from toprung.web.services.results.label_doubt import DOUBT
from toprung.web.services.shown.charts import ShownChart, show_chart
from toprung.web.services.shown.exports import provenance_of
from toprung.web.services.shown.label_change import draw_change
from toprung.web.services.shown.naming import names_in, with_names
from toprung.web.services.shown.pictures import PICTURES
from toprung.web.site.board.markdown import render_markdown
from toprung.web.site.board.pictures import send_picture


@dataclass(frozen=True, kw_only=True)
class ShownVersion:
    """One version, as its changelog tells it."""

    labels: LabelSet
    changes: SafeString
    difference: str
    """In counts, against the version before; empty of the first."""
    digest: str
    sureness: str
    """Of labels that votes made."""


@require_safe
@same_for_everyone
def show_versions(request: HttpRequest, slug: str, *, as_json: bool = False) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found = viewer.result(CHANGE)
    versions = [_to_version(viewer, each) for each in shown_versions(viewer.board)]
    if as_json:
        change = (
            None if found is None else without_drawings(found.content) | {"provenance": provenance_of(viewer, found)}
        )
        listed = [_to_record(each) for each in versions]
        return JsonResponse(
            {"board": viewer.board.title, "versions": listed, "change": change, "label_doubt": _doubt(viewer)},
            json_dumps_params={"indent": 2, "ensure_ascii": False},
        )
    address = reverse("label_versions_json", args=[slug]) + viewer.as_of
    context = viewer.frame("labels", found or viewer.result("board"), json_url=address)
    context |= {"versions": versions, "rows": []}
    context |= {"upkeep": find_upkeep(viewer), "doubt": _doubt(viewer)}
    if found is not None:
        context |= {"content": found.content, "rows": _name_rows(viewer, found.content["rows"])}
        context |= _say_with_names(viewer, found.content)
        context["chart"] = _show_chart(viewer, found.content, context["rows"])
    return render(request, "boards/label_versions.html", context)


@require_safe
@same_for_everyone
def export_picture(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """The chart of this page."""
    viewer = get_viewer_from(request, slug)
    found = viewer.result(CHANGE)
    rows = [] if found is None else _name_rows(viewer, found.content["rows"])
    if found is None or not rows:
        raise Http404("There is no such chart.")
    figure = draw_change(found.content, _names_of(rows), _say_with_names(viewer, found.content)["said"])
    return send_picture(request, figure, f"{slug}-label-sets.{ending}")


def _show_chart(
    viewer: Viewer, content: Mapping[str, Any], rows: Sequence[tuple[dict[str, Any], Identity]]
) -> ShownChart | None:
    """The runs that are still there, by the names of today; None where there are none."""
    if not rows:
        return None
    names, said, slug = _names_of(rows), _say_with_names(viewer, content)["said"], viewer.board.slug
    wide, narrow = (draw_change(content, names, said, slug=slug, width=width) for width in (None, PHONE))
    files = {ending: reverse("label_versions_picture", args=[slug, ending]) + viewer.as_of for ending in PICTURES}
    return show_chart(wide, files, narrow=narrow)


def _names_of(rows: Sequence[tuple[dict[str, Any], Identity]]) -> dict[str, Identity]:
    return {row["run"]: identity for row, identity in rows}


def _doubt(viewer: Viewer) -> str:
    found = viewer.result(DOUBT)
    return "" if found is None else str(found.content["sentence"])


def _say_with_names(viewer: Viewer, content: Mapping[str, Any]) -> dict[str, str]:
    """The stored sentences, which call runs by their labels."""
    texts = {
        "would": content["would"]["sentence"],
        "said": content["sentence"],
        "better": ", ".join(content.get("better_than_perfect", ())),
    }
    names = names_in(viewer, *texts.values())
    return {key: with_names(text, names) for key, text in texts.items()}


def _to_version(viewer: Viewer, labels: LabelSet) -> ShownVersion:
    is_exact = viewer.is_organiser or not labels.is_hidden
    return ShownVersion(
        labels=labels,
        changes=render_markdown(labels.changes),
        difference=say_difference(labels.difference, is_exact=is_exact),
        digest=shorten(labels.digest),
        sureness=say_sureness(labels, is_exact=is_exact),
    )


def _to_record(version: ShownVersion) -> dict[str, Any]:
    labels = version.labels
    return {
        "version": labels.version,
        "published_at": labels.published_at,
        "current_since": labels.current_since,
        "superseded_at": labels.superseded_at,
        "source": labels.source,
        "n_queries": labels.n_queries,
        "changes": labels.changes,
        "difference": version.difference,
        "digest": version.digest,
        "sureness": version.sureness,
    }


def _name_rows(viewer: Viewer, rows: list[dict[str, Any]]) -> list[tuple[dict[str, Any], Identity]]:
    """Each run of the table with the name it goes by today; one that was withdrawn since is left out."""
    labels = [each["run"] for each in rows]
    runs = viewer.board.submissions.filter(run_id__in=labels, withdrawn_at=None).select_related("team")
    names = {each.run_id: viewer.namer.name(each) for each in runs}
    return [(each, names[each["run"]]) for each in rows if each["run"] in names]
