"""What is kept of a board that ended? All of it but the hidden labels, in one signed file, made once."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from django.conf import settings
from django.core.files import File

from toprung.web.core.models.endings import FinalStandings
from toprung.web.core.store.audit import WORKER
from toprung.web.services.bundle.exporting import export_from_here

SUFFIX = ".toprung"


def keep_bundle(board_pk: int) -> None:
    """Written beside the uploads, then stored; a second call finds it there."""
    kept = FinalStandings.objects.select_related("board").filter(board_id=board_pk, bundle="").first()
    if kept is None:
        return
    with tempfile.TemporaryDirectory(dir=settings.ENVIRONMENT.incoming) as folder:
        path = Path(folder) / f"{kept.board.slug}{SUFFIX}"
        exported = export_from_here(kept.board, path, by=WORKER)
        with path.open("rb") as file:
            kept.bundle_digest = f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
            file.seek(0)
            kept.key = exported.key
            kept.bundle.save(path.name, File(file), save=False)
    if not FinalStandings.objects.filter(pk=kept.pk, bundle="").update(
        bundle=kept.bundle.name, bundle_digest=kept.bundle_digest, key=kept.key
    ):
        kept.bundle.storage.delete(kept.bundle.name or "")  # another worker was faster
