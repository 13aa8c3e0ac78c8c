"""Flows of an HTTP leg to a tape: redacted by the tape's rules, on the machine's monotonic clock, in order.

In the order in which they were asked: a reply that is early waits for those asked before it, so that a replay, which is
strict, asks for the same order however long each reply took. `trailcam tape join` puts the tape beside the others.
"""
from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.http_leg.messages import Request, Response
from harness.problem import Problem
from harness.record.disk import create
from harness.record.heading import clock
from harness.tape.header import Header
from harness.tape.redact import Redactor
from harness.tape.rules import rules_of, secrets_of
from harness.tape.write import Writer, to_descriptor
from harness.version import VERSION

SECRET_HEADERS = ("x-goog-api-key", "x-amz-security-token", "openai-organization", "x-api-token")
"""Headers of model endpoints that hold a key or name an account, beside the names that every tape knows."""
P = 1


@dataclass(frozen=True, slots=True)
class Leg:
    """What is recorded. program: the name that the tape gives to what answers; leg: the name of the wire.

    redact: rules beside the built-in ones, as `trailcam record` takes them. products: (name, version) of what answered.
    strength: of the evidence that the tape is.
    """

    program: str = "service"
    leg: str = "http"
    redact: Sequence[str] = ()
    products: Sequence[tuple[str, str]] = ()
    strength: str = "model"


@dataclass(slots=True)
class _Asked:
    request: Request
    done: bool = False
    response: Response | None = None
    why: str = ""


@dataclass(slots=True)
class Recorder:
    """One tape that is being written. now_ns: the monotonic clock."""

    writer: Writer
    redactor: Redactor
    leg: Leg
    began_ns: int
    now_ns: Callable[[], int] = time.monotonic_ns
    _open: list[_Asked] = field(default_factory=list)
    _t: float = 0.0

    def begin(self) -> None:
        """The leg is up."""
        self._put("started", program=self.leg.program, argv=[])

    def asked(self, request: Request) -> _Asked:
        """A request came; give what this gives to `answered`."""
        asked = _Asked(request)
        self._open.append(asked)
        return asked

    def answered(self, asked: _Asked, response: Response | None, why: str = "") -> None:
        """Its reply went back; None where none came, with the reason."""
        asked.done, asked.response, asked.why = True, response, why
        while self._open and self._open[0].done:
            self._flow(self._open.pop(0))

    def end(self) -> bool:
        """Nothing comes any more. Whether everything is on the tape."""
        for asked in self._open:
            asked.why = asked.why or "the recording ended before a reply came"
            self._flow(asked)
        self._open.clear()
        self._put("exited", status=0)
        if self.redactor.counts:
            self.writer.put("note", t=self._t, p=0, text=self.redactor.closing())
        return self.writer.close()

    def _flow(self, asked: _Asked) -> None:
        answer = {} if asked.response is None else {"response": asked.response.as_json()}
        if asked.why:
            self._put("note", text=f"{asked.request.method}: {asked.why}")
        self._put("flow", w=self.leg.leg, request=asked.request.as_json(), **answer)

    def _put(self, e: str, **fields: Any) -> None:
        """One event, redacted; a gap where a secret can't be taken out of it."""
        self._t = max(self._t, round((self.now_ns() - self.began_ns) / 1e6, 3))
        made: dict[str, Any] = self.redactor.event({"p": P, "e": e, **fields})
        kind = made.pop("e")
        p = made.pop("p")
        self.writer.put(kind, t=self._t, p=0 if kind in ("note", "gap") else p, **made)


def open_recorder(path: str, leg: Leg, environment: Mapping[str, str]) -> Recorder:
    """A recorder on a new tape. Raises UsageProblem for a wrong rule, Problem where the tape can't be written."""
    rules = rules_of([*leg.redact, *(f"key:{name}" for name in SECRET_HEADERS)], environment)
    rules.literals = tuple(dict.fromkeys((*rules.literals, *secrets_of(environment))))
    redactor = Redactor(rules, os.urandom(16))
    began_ns = time.monotonic_ns()
    try:
        descriptor = create(path)
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}", "a tape that does not exist yet and can be written",
                      "nothing was started; correct --out") from None
    system = os.uname()
    products = [{"name": name, "version": version} for name, version in leg.products]
    header = Header(
        {
            "strength": leg.strength,
            "products": products or [{"name": leg.program, "version": "unknown"}],
            "platform": f"{system.sysname} {system.machine}",
            "recorder": f"trailcam {VERSION}",
        },
        clock=clock(began_ns),
        redaction=redactor.manifest(),
        date=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    )
    writer = Writer(to_descriptor(descriptor), header)
    if writer.failure:
        raise Problem(f"{path}: {writer.failure}", "a tape that can be written", "nothing was started; correct --out")
    return Recorder(writer, redactor, leg, began_ns)
