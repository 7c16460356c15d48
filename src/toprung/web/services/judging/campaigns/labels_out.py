"""What would the next labels be, as files? The whole version, what votes decided, and the manifest of that."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path

from toprung.data.formats.qrels_writing import write_qrels
from toprung.labels.best.preference_qrels import write_preference_qrels
from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.people import User
from toprung.web.services.judging.campaigns.export import ExportedFile
from toprung.web.services.judging.campaigns.review import new_labels_of
from toprung.web.services.labels.access_log import note_export

DECIDED = "decided.qrels"


def export_labels(campaign: Campaign, *, by: User) -> ExportedFile:
    """As they would be published now; on record, for most of them are the labels of today.

    Of a version that would lose judgments there is only what votes decided.
    An InputError where no query is decided yet.
    """
    found = new_labels_of(campaign)
    decided, name = found.version, f"{campaign.slug}-v{found.current.version + 1}"
    note_export(
        found.current, reason=f"The next version by the votes of {campaign.slug}, before it is published", by=by
    )
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        if not found.losses:
            write_qrels(found.qrels, Path(folder) / f"{name}.txt")
        write_preference_qrels(decided, Path(folder) / DECIDED)
        for path in sorted(Path(folder).iterdir()):
            archive.write(path, f"{name}/{path.name}")
    return ExportedFile(name=f"{name}.zip", content=packed.getvalue(), content_type="application/zip")
