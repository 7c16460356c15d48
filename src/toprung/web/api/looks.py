"""Who looks at which board, under which labels? The same viewer as the pages have."""

from __future__ import annotations

from typing import Annotated

from django.http import Http404
from ninja import Path, Query

from toprung.web.api.callers import ApiRequest
from toprung.web.core.access.viewer import Viewer, get_viewer
from toprung.web.core.models.results import StoredResult

Slug = Annotated[str, Path(description="The board, as in its address.", examples=["web-docs"])]
Label = Annotated[str, Path(description="The run, by its label.", examples=["R1"])]
AskedVersion = Annotated[
    int | None,
    Query(alias="labels", ge=1, le=32_000, description="A version of the labels; else the one that is shown."),
]


def get_viewer_of(request: ApiRequest, slug: str, labels: int | None = None) -> Viewer:
    """What the caller may see of the board, under the labels that are shown or another version that was."""
    return get_viewer(request.auth.person, slug, labels="" if labels is None else str(labels))


def get_result(viewer: Viewer, kind: str, key: str = "") -> StoredResult:
    """As a task stored it for who looks; 404 where there is none yet."""
    found = viewer.result(kind, key)
    if found is None:
        raise Http404("There is nothing yet.")
    return found


def version_of(result: StoredResult | None) -> int | None:
    return None if result is None else result.labels_version or None
