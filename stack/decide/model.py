"""Asking the model over HTTP: the retries that there are, and no others.

Separate from the answer's validation, which needs no network. A busy server (429, 503, 529) is asked three times in
all; an answer that is none is asked for once more; every other failure is an error at once. None of them is a decision.
"""

from __future__ import annotations

import math
from typing import Final

import anyio

from stack import http
from stack.contract import Host
from stack.decide.answer import Decision, Invalid, decision
from stack.decide.settings import Model
from stack.decide.space import Space
from stack.errors import StackError

BUSY: Final = frozenset({429, 503, 529})
OK: Final = 200


class ModelError(StackError):
    """The model's doing: it is busy, refuses, or gives no answer. Nothing was done because of it."""


async def decide(host: Host, model: Model, body: bytes, space: Space) -> Decision:
    """One decision. Raises ModelError, or what stack/http.py raises."""
    why = ""
    for _ in range(model.asks):
        reply = await _ask(host, model, body)
        try:
            return decision(reply, space)
        except Invalid as error:
            why = str(error)
    raise ModelError("model_invalid", f"{model.asks} answers that can't be used; the last one: {why}")


async def _ask(host: Host, model: Model, body: bytes) -> bytes:
    """The body of a reply with status 200."""
    headers = [("Content-Type", "application/json"), ("Accept", "application/json")]
    if model.key is not None:
        headers.append(("Authorization", f"Bearer {model.key}"))
    for attempt in range(model.attempts):
        reply = await http.request(
            host, "POST", model.endpoint, headers=headers, body=body, timeout_ms=model.timeout_ms
        )
        if reply.status == OK:
            return reply.body
        if reply.status not in BUSY:
            raise ModelError("model_refused", f"the model's endpoint answered {reply.status}")
        if attempt + 1 < model.attempts:
            wait_ms = _asked_for(reply)
            own_ms = model.waits_ms[min(attempt, len(model.waits_ms) - 1)]
            await anyio.sleep((own_ms if wait_ms is None else min(wait_ms, model.longest_wait_ms)) / 1000)
    raise ModelError("model_busy", f"the model's endpoint answered {reply.status} {model.attempts} times")


def _asked_for(reply: http.Response) -> float | None:
    """How long a reply asks to wait, in milliseconds; None where it does not say so in seconds or milliseconds."""
    for name, unit in (("retry-after-ms", 1), ("retry-after", 1000)):
        try:
            value = float(reply.header(name) or "")
        except ValueError:
            continue
        if math.isfinite(value) and value >= 0:
            return value * unit
    return None
