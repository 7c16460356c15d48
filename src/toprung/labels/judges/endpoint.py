"""What does a language model prefer? Any endpoint that speaks OpenAI's chat completions, local or not.

The key comes from the environment and is never shown, logged or stored.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from toprung.data.judgments import AssessorKind
from toprung.errors import InputError
from toprung.labels.judges.http_post import check_url
from toprung.labels.judges.prompt import to_messages
from toprung.labels.judges.reading import read_choice
from toprung.labels.judges.retrying import Client, JudgeRefusedError
from toprung.labels.tasks.protocol import Answer, NoAnswerError, Text, read_count
from toprung.net.pace import Backoff, RateLimit

KEY_VARIABLE = "TOPRUNG_JUDGE_KEY"
FIELDS: Mapping[str, Any] = {"temperature": 0, "max_tokens": 512}
"""Room to think for models that do; the others stop after one token."""
OWN_FIELDS = frozenset({"model", "messages", "stream"})
"""What is asked, of whom, and that the reply comes as a whole."""
MOST_RAW = 2_000
"""Characters of a reply that are kept."""


@dataclass(frozen=True, kw_only=True)
class Prices:
    """Money for a million tokens, read and written."""

    per_million_in: float = 0.0
    per_million_out: float = 0.0

    def __post_init__(self) -> None:
        if not (self.per_million_in >= 0 and self.per_million_out >= 0):
            raise InputError("Found a negative price; expected money for a million tokens.")

    @property
    def are_known(self) -> bool:
        return self.per_million_in > 0 or self.per_million_out > 0

    def cost_of(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.per_million_in + tokens_out * self.per_million_out) / 1e6


def read_key(variable: str = KEY_VARIABLE) -> str | None:
    """The key in an environment variable; None if it is not set, as local servers need none."""
    key = os.environ.get(variable, "").strip()
    if not key:
        return None
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InputError(f"${variable}: found characters that no key has; expected a key, and nothing else.")
    return key


class EndpointJudge:
    """A language model behind ``base_url``, such as ``https://host/v1``.

    ``fields`` go into every request; one that is None is left out, where a model refuses what others need.
    """

    kind = AssessorKind.LLM
    asks_both_orders = True

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        name: str | None = None,
        key: str | None = None,
        prices: Prices = Prices(),  # noqa: B008 - frozen
        timeout: float = 60.0,
        per_minute: float | None = None,
        backoff: Backoff = Backoff(),  # noqa: B008 - frozen
        fields: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.model = model
        self.name = name or model
        self.prices = prices
        self._fields = {name: value for name, value in {**FIELDS, **fields}.items() if value is not None}
        if own := sorted(OWN_FIELDS & fields.keys()):
            raise InputError(f"Found '{own[0]}' among the fields; expected others, for that one is set here.")
        parts = urlsplit(check_url(base_url))
        url = urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/chat/completions", fragment=""))
        self._client = Client(url=url, key=key, timeout=timeout, backoff=backoff, rate=RateLimit(per_minute=per_minute))

    @property
    def most_tokens_out(self) -> int | None:
        """How long an answer may be, by the fields of a request; None if they do not say."""
        found = (read_count(self._fields.get(name)) for name in ("max_tokens", "max_completion_tokens"))
        return next((each for each in found if each), None)

    def compare(self, query: Text, left: Text, right: Text) -> Answer:
        """Ask once, in this order."""
        payload = {
            "model": self.model,
            "messages": to_messages(query.text, left.text, right.text),
            **self._fields,
        }
        try:
            reply = self._client.post(payload)
        except JudgeRefusedError as error:
            return Answer(choice=None, is_final=True, raw=str(error))
        return self._to_answer(reply)

    def _to_answer(self, reply: dict[str, Any]) -> Answer:
        """What the reply says. One without a message is a fault of the server, not an answer."""
        try:
            choice = reply["choices"][0]
            message = choice["message"]
            content = message.get("content")
            is_refused = bool(message.get("refusal")) or choice.get("finish_reason") == "content_filter"
        except (KeyError, IndexError, TypeError, AttributeError):
            raise NoAnswerError(f"{self._client.shown}: found a reply without a message; expected one.") from None
        said = content if isinstance(content, str) else ""
        counts = _count_tokens(reply)
        tokens_in, tokens_out = (n or 0 for n in counts)
        return Answer(
            choice=None if is_refused else read_choice(said),
            is_final=is_refused,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost=self.prices.cost_of(tokens_in, tokens_out),
            is_metered=None not in counts,
            raw=self._client.hide_key(str(message.get("refusal") or said))[:MOST_RAW],
        )


def _count_tokens(reply: dict[str, Any]) -> tuple[int | None, int | None]:
    usage = reply.get("usage")
    if not isinstance(usage, dict):
        return None, None
    return read_count(usage.get("prompt_tokens")), read_count(usage.get("completion_tokens"))
