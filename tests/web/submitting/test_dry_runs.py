"""A dry run takes a file with the dev queries alone: it is scored on them, not kept, and cannot be submitted."""

from __future__ import annotations

import pytest
from tests.web.cast import DEV, Cast, run_text
from tests.web.runs import accepted

from toprung.data.run_card import RunCard
from toprung.web.core.models.runs import UploadState
from toprung.web.services.runs.submit import SubmissionRefusedError, submit


def test_dev_queries_alone_are_scored_and_not_kept(cast: Cast) -> None:
    upload = accepted(cast, run_text({"d01": 1, "d02": 2, "d03": 0}))
    assert upload.state == UploadState.DRY
    assert upload.report["is_valid"]
    assert upload.report["sentence"].startswith("A dry run, with the dev queries alone")
    scores = dict(upload.dev_scores["scores"])
    assert scores["RR@100"] == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert not upload.parquet
    assert not upload.original
    with pytest.raises(SubmissionRefusedError, match="scored as a dry run; expected one that was accepted"):
        submit(upload, RunCard(name="x", description="y"), by=cast.participant)


def test_other_queries_beside_them_are_refused_as_before(cast: Cast) -> None:
    for content in (run_text(dict.fromkeys([*DEV, "zz"], 1)), run_text({"zz": 1})):
        upload = accepted(cast, content)
        assert upload.state == UploadState.REFUSED
        assert not upload.report["is_dry"]
    broken = accepted(cast, run_text({"d01": 1, "d02": 1, "d03": 1}) + b"d01 Q0 x not-a-rank 1 r\n")
    assert broken.state == UploadState.REFUSED
