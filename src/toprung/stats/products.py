"""Matrix products on one thread.

NumPy's products use all processors. Where others work beside, in workers of our own or elsewhere on the machine,
threads that wait for one another burn several times the processor time that one needs, and take longer besides.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


def multiply[T: np.floating](a: NDArray[T], b: NDArray[T], out: NDArray[T] | None = None) -> NDArray[T]:
    """``a @ b``, with the library behind it held to one thread meanwhile.

    >>> multiply(np.eye(2), np.array([[1.0], [2.0]])).tolist()
    [[1.0], [2.0]]
    """
    with _controller().limit(limits=1, user_api="blas"):
        product: NDArray[T] = np.matmul(a, b, out=out)
    return product


@cache
def _controller() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
