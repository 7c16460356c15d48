"""What do the pages of analyses show that are registered for boards and have no page of their own?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toprung.analyses.asking import ask
from toprung.analyses.catalogue import find_on_boards
from toprung.analyses.given import AskedOptions, GivenInputs
from toprung.analyses.material import Material
from toprung.analysis import Analysis, Input
from toprung.errors import InputError
from toprung.report.charts.catalogue import kinds_of
from toprung.web.services.results.content import show_result
from toprung.web.services.results.material import BoardMaterial
from toprung.web.services.results.public import seen_by


def show_registered(material: BoardMaterial) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each of them found, by its key; those that these runs do not allow are left out."""
    for analysis in find_on_boards(is_public=material.is_public):
        if analysis.board is not None and len(material.submissions) >= analysis.board.least_runs:
            try:
                yield analysis.key, _show(analysis, material, analysis.board.options)
            except InputError:
                continue


def _show(analysis: Analysis, material: BoardMaterial, options: Any) -> dict[str, Any]:
    is_of_ranks = Input.RANKS in analysis.inputs.values()
    asked = Material(
        inputs=GivenInputs(matrix=material.findings.ranks if is_of_ranks else material.findings.scores),
        options=AskedOptions(alpha=material.board.alpha, seed=material.board.seed),
    )
    found = seen_by(material.audience, ask(analysis, asked, options), material.release, key=analysis.key)
    return show_result(found, [kind.draw for kind in kinds_of(found)], material.audience)
