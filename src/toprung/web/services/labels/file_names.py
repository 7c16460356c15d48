"""What is a file of labels called? By how it is packed, told from its first bytes."""

from __future__ import annotations

from toprung.data.formats.content import BZIP2, GZIP, PARQUET, ZSTD
from toprung.web.core.models.labels import LabelSet

ENDINGS = {GZIP: ".txt.gz", BZIP2: ".txt.bz2", ZSTD: ".txt.zst", PARQUET: ".parquet"}
LONGEST_MAGIC = max(map(len, ENDINGS))


def ending_of(labels: LabelSet) -> str:
    with labels.file.open("rb") as file:
        start = file.read(LONGEST_MAGIC)
    return next((ending for magic, ending in ENDINGS.items() if start.startswith(magic)), ".txt")
