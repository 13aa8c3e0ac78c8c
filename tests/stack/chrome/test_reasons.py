"""One registry of reasons: those of the protocol, each with a kind and an advice."""

from __future__ import annotations

import pytest

from stack.chrome.bridge import BridgeError
from stack.chrome.reasons import REASONS, outcome_of, stack_error
from stack.chrome.schema import DOCUMENT
from stack.errors import ADVICE

FOURTEEN = {
    "extension_not_installed", "native_host_not_registered", "bridge_disconnected", "protocol_mismatch",
    "site_permission_required", "unsupported_scheme", "restricted_page", "tab_not_found", "frame_not_accessible",
    "stale_snapshot", "ambiguous_target", "needs_trusted_input", "no_observed_effect", "timed_out",
}  # fmt: skip


def test_the_registry_is_the_protocols_and_has_the_contracts() -> None:
    assert set(REASONS) == set(DOCUMENT["$defs"]["reason"]["enum"])
    assert {*FOURTEEN, "no_result", "unauthorised", "claim_held"} <= set(REASONS)
    assert "partial" not in REASONS
    assert set(REASONS) <= set(ADVICE)


@pytest.mark.parametrize("reason", REASONS)
def test_each_becomes_an_error_with_what_is_known_of_the_effect(reason: str) -> None:
    error = stack_error(BridgeError(reason, "seen", dispatched=True))
    assert (type(error), error.code) == (REASONS[reason].kind, reason)
    assert error.outcome == ("refused" if reason == "no_observed_effect" else "unknown")
    assert outcome_of(BridgeError(reason, "seen")) == "refused"
