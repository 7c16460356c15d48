"""How did the labels of a board change, and what does that change? Every version that was shown, the latest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

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
from toprung.web.services.shown.exports import provenance_of
from toprung.web.services.shown.naming import called_in, names_in, say_called, with_names
from toprung.web.site.board.markdown import render_markdown
from toprung.web.site.board.pictures import send_stored, with_files


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
        context["figures"] = with_files(
            found.content["figures"],
            lambda kind, ending: reverse("label_versions_picture", args=[slug, kind, ending]) + viewer.as_of,
        )
        context |= _say_with_names(viewer, found.content)
    return render(request, "boards/label_versions.html", context)


@require_safe
@same_for_everyone
def export_picture(request: HttpRequest, slug: str, kind: str, ending: str) -> HttpResponse:
    """A chart of this page."""
    viewer = get_viewer_from(request, slug)
    found = viewer.result(CHANGE)
    figures = [] if found is None else found.content["figures"]
    return send_stored(request, figures, kind, f"{slug}-{kind}.{ending}", below=say_called(viewer, figures))


def _doubt(viewer: Viewer) -> str:
    found = viewer.result(DOUBT)
    return "" if found is None else str(found.content["sentence"])


def _say_with_names(viewer: Viewer, content: dict[str, Any]) -> dict[str, Any]:
    """The stored sentences, which call runs by their labels."""
    texts = {
        "would": content["would"]["sentence"],
        "said": content["sentence"],
        "better": ", ".join(content.get("better_than_perfect", ())),
    }
    names = names_in(viewer, *texts.values())
    said: dict[str, Any] = {key: with_names(text, names) for key, text in texts.items()}
    return said | {"called": called_in(viewer, content["figures"])}


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
