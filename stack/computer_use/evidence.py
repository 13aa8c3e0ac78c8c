"""What is known about how one call ran: the record that every reply carries, and the audit counts from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stack.computer_use.audit import UNKNOWN, version
from stack.contract import Json
from stack.errors import Official

_MS: Final = 1000


@dataclass(slots=True)
class Evidence:
    """Filled in as the call goes on; None is "not known yet", but for background_preserved, where it is a finding.

    direct_calls: tool calls that were dispatched; model_turns: turns that a model started, 0 unless the call failed
    for it; cleanup_verified and lease_released: of the sequence, known once it has ended.
    """

    began: float
    app: str | None = None
    broker_version: str | None = None
    client_build: str | None = None
    direct_calls: int = 0
    model_turns: int = 0
    elicitations: int = 0
    ephemeral: bool | None = None
    background_preserved: bool | None = None
    cleanup_verified: bool | None = None
    lease_released: bool | None = None
    problems: tuple[str, ...] = ()
    official: Official | None = None

    def shown(self, now: float) -> dict[str, Json]:
        """The record as JSON. `now`: the time on the stack's clock, seconds."""
        members: dict[str, Json] = {
            "brokerVersion": version(self.broker_version),
            "clientBuild": version(self.client_build),
            "durationMs": round((now - self.began) * _MS, 3),
            "directCalls": self.direct_calls,
            "modelTurnsStarted": self.model_turns,
            "elicitationRequests": self.elicitations,
            "ephemeralThread": _flag(self.ephemeral),
            "backgroundPreserved": self.background_preserved,
            "cleanupVerified": _flag(self.cleanup_verified),
            "leaseReleased": _flag(self.lease_released),
        }
        if self.app is not None:
            members["app"] = self.app
        if self.problems:
            members["cleanupProblems"] = [*self.problems]
        if self.official is not None:
            members["official"] = {"code": self.official.code, "text": self.official.text, "data": self.official.data}
        return members


def _flag(value: bool | None) -> Json:
    return UNKNOWN if value is None else value
