"""How is a registered analysis asked? Its inputs come from the material, its options from whoever asks."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from toprung.analyses.material import Material
from toprung.analysis import Analysis
from toprung.result import Result

SHARED = ("trials", "alpha", "confidence", "seed")
"""Options that the material has for all analyses alike."""


def ask(analysis: Analysis, material: Material, options: Mapping[str, Any]) -> Result:
    """The answer; options that are not given are those of the material, and then the function's own."""
    answer = analysis.load_answer()
    taken = inspect.signature(answer).parameters
    shared = {name: getattr(material.options, name) for name in SHARED if name in taken}
    inputs = {name: material.give(each, options) for name, each in analysis.inputs.items()}
    found: Result = answer(**inputs, **shared | dict(options))
    return found
