"""Which two runs are compared, and when is a comparison of them still the same? While all it was made of is."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from toprung.version import __version__
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission


@dataclass(frozen=True, kw_only=True)
class RunPair:
    """B, the challenger, and A, which it is held against."""

    challenger: Submission
    holder: Submission

    @property
    def both(self) -> tuple[Submission, Submission]:
        """A and B, in the order of the library."""
        return self.holder, self.challenger


def comparison_key(board: Board, labels: LabelSet, pair: RunPair) -> str:
    """A comparison is of two runs and one version of the labels, as one policy shows it."""
    return f"{pair.challenger.run_id} {pair.holder.run_id} v{labels.version} {board.release}"


def digest_of_pair(board: Board, labels: LabelSet, pair: RunPair) -> str:
    """Of all that a comparison is made of: labels, rules, and what is known and shown of the two runs."""
    rules = [board.official_measure, board.rule, board.alpha, board.gamma, board.seed, board.release]
    margins = [board.answered_margin, board.ranking_margin]
    runs = [[each.run_id, each.upload.digest, each.score, each.shown_score] for each in pair.both]
    made_of = json.dumps([__version__, labels.version, labels.digest, rules, margins, runs])
    return hashlib.sha256(made_of.encode()).hexdigest()
