"""What does the web server say of a request that no page ever sees? A sentence that says what to do."""

from __future__ import annotations

from typing import Any

from gunicorn.http.errors import LimitRequestLine
from gunicorn.workers.gthread import ThreadWorker


class WebWorker(ThreadWorker):  # type: ignore[misc] # without types
    """A process of the web server: as gunicorn has it, but for its words."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        said = AddressTooLongError(exc.size) if isinstance(exc, LimitRequestLine) else exc
        super().handle_error(req, client, addr, said)


class AddressTooLongError(LimitRequestLine):  # type: ignore[misc] # without types
    """In words for who followed a link."""

    def __str__(self) -> str:
        return "The address is too long. Nothing was changed; open the link again as it was given to you."
