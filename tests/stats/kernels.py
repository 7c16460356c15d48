"""Arrays made to break a kernel, and the same work without it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies
from tests.stats.samples import Floats

from toprung.stats.kernel import compiled
from toprung.stats.kernel.compiled import has_kernel

needs_kernel = pytest.mark.skipif(compiled._kernel is None, reason="the kernel was not built")

ADVERSARIAL = (0.0, -0.0, 1.0, -1.0, 1 / 3, 0.1 + 0.2, 0.3, 1e-13, 1e-9, 1e-11, 1e8, -1e8, 1e150, 1e-200, 5e-324)


@st.composite
def matrices(
    draw: st.DrawFn,
    *,
    most_runs: int = 6,
    most_queries: int = 30,
    levels: tuple[float, ...] = ADVERSARIAL,
    sizes: tuple[float, ...] = (1e-9, 1.0, 1e6),
    has_gaps: bool = False,
) -> Floats:
    """Queries × runs of few levels, of any numbers of a size, or with columns that are copies or a constant apart.

    With gaps, some queries may not count for some runs.
    """
    shape = draw(st.integers(1, most_queries)), draw(st.integers(1, most_runs))
    chosen = draw(st.lists(st.sampled_from(levels), min_size=1, max_size=5))
    size = draw(st.sampled_from(sizes))
    elements = draw(st.sampled_from([st.sampled_from(chosen), st.floats(-size, size)]))
    values = draw(numpy_strategies.arrays(np.float64, shape, elements=elements))
    if shape[1] > 1 and draw(st.booleans()):
        values[:, 0] = values[:, 1] + draw(st.sampled_from([0.0, 0.125]))
    if has_gaps and draw(st.booleans()):
        values[draw(numpy_strategies.arrays(np.bool_, shape))] = np.nan
    return values


def without_kernel[T](work: Callable[[], T]) -> T:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TOPRUNG_KERNEL", "off")
        assert not has_kernel()
        return work()
