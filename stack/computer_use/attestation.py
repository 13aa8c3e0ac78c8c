"""Whether the thread that was started is the one that was asked for: every echo of thread/start, as a table.

Separate because thread/start may succeed under another policy: a managed requirement downgrades it and says so in a
warning alone (measured on 0.144.2 and 0.171.0). So each row compares one echoed value with the wanted one, exactly
and with its type; a missing value is a mismatch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stack.computer_use.launch import APPROVAL_POLICY, MODEL_PROVIDER, SANDBOX_ECHO
from stack.contract import Json
from stack.errors import SetupError

FOLDER: Final = object()
"""Stands in a row for the working folder that was asked for."""

ROWS: Final[Sequence[tuple[tuple[str, ...], object, str]]] = (
    (("thread", "ephemeral"), True, "thread_not_attested"),
    (("thread", "path"), None, "thread_not_attested"),
    (("thread", "turns"), [], "thread_not_attested"),
    (("thread", "status"), {"type": "idle"}, "thread_not_attested"),
    (("approvalPolicy",), APPROVAL_POLICY, "policy_downgraded"),
    (("sandbox",), {"type": SANDBOX_ECHO}, "policy_downgraded"),
    (("modelProvider",), MODEL_PROVIDER, "thread_not_attested"),
    (("cwd",), FOLDER, "thread_not_attested"),
    (("instructionSources",), [], "thread_not_attested"),
)
"""Place in the result, wanted value, and the code of a mismatch."""

_MISSING: Final = object()


def _at(result: Json, place: tuple[str, ...]) -> object:
    value: object = result
    for name in place:
        if not isinstance(value, dict) or name not in value:
            return _MISSING
        value = value[name]
    return value


def _same(seen: object, wanted: object) -> bool:
    """Equal, and of one type: True is not 1."""
    return type(seen) is type(wanted) and seen == wanted


def attest(result: Json, folder: str) -> None:
    """SetupError that names every echo which differs: policy_downgraded where it is the policy, else
    thread_not_attested."""
    wrong: dict[str, str] = {}
    for place, wanted, code in ROWS:
        expected = folder if wanted is FOLDER else wanted
        seen = _at(result, place)
        if not _same(seen, expected):
            name = "/" + "/".join(place)
            wrong[name] = code
    identifier = _at(result, ("thread", "id"))
    if not isinstance(identifier, str) or not identifier:
        wrong["/thread/id"] = "thread_not_attested"
    if wrong:
        code = "policy_downgraded" if "policy_downgraded" in wrong.values() else "thread_not_attested"
        raise SetupError(code, f"thread/start answered, but not as asked, at {', '.join(wrong)}")


def is_ephemeral(result: Json) -> bool:
    """Whether the thread says that it is kept nowhere."""
    return _at(result, ("thread", "ephemeral")) is True and _at(result, ("thread", "path")) is None


def asked_for(folder: str, service: str) -> Mapping[str, Json]:
    """The params of thread/start that the rows are about."""
    return {
        "cwd": folder,
        "approvalPolicy": APPROVAL_POLICY,
        "sandbox": "danger-full-access",
        "ephemeral": True,
        "serviceName": service,
    }
