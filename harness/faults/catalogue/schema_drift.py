"""A member is renamed, removed or added, as a new version of the program does it. Safari's `navigate_to_url` takes
`handle` in one version and `tab_uuid` in another; codex's helper must show exactly the pinned tools. By default the
drift strikes the first argument of the first tool that the message lists; where it lists none, a member drawn by the
seed."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import added, drawn, is_member, key_of, payload, removed, renamed, under, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.members import Values
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "schema_drift", "message", {">>", "<<"}
FORGES = True
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "change": Argument("text", "rename", "", "what happens to the member", choices=("rename", "remove", "add")),
    "pointer": Argument("text", None, "", "JSON pointer of the member; by default see above"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    pointer, change = args["pointer"], str(args["change"])
    assert pointer is None or isinstance(pointer, str)
    return each_body(steps, lambda body: _drifted(body, pointer, change, rng))


def _drifted(body: bytes, pointer: str | None, change: str, rng: Chance) -> bytes | None:
    values = values_of(body)
    if pointer is None:
        pointer = _place(body, values, rng)
    if pointer is None or not is_member(body, values, pointer):
        return None
    if change == "rename":
        return renamed(body, values, pointer, key_of(pointer) + "_2")
    if change == "remove":
        return removed(body, values, pointer)
    start, end = values[pointer]
    return added(body, values, pointer.rpartition("/")[0], key_of(pointer) + "_2", body[start:end])


def _place(body: bytes, values: Values, rng: Chance) -> str | None:
    members = [pointer for pointer in under(values, payload(values)) if is_member(body, values, pointer)]
    arguments = [pointer for pointer in members if pointer.rpartition("/")[0].endswith("/inputSchema/properties")]
    return arguments[0] if arguments else drawn(members, rng)
