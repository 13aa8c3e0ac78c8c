"""A request is answered with an error, and the program never sees it (`>>`); or a result becomes an error on its way
back (`<<`), after whatever it stands for was done: `refused` is then no lie of the stack. The same failure comes
with other codes in other versions: MCP's -10005 is -32603 in codex 0.144.2 (trailcam facts)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import body_of, carrying, each_frame, raw_of, with_body
from harness.faults.members import kind_of, message_like, renamed, replaced, text, value_at, values_of
from harness.faults.steps import Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Deliver, Feed, Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "error_reply", "message", {">>", "<<"}
KINDS = {"request", "reply"}
DENIES = True
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "code": Argument("int", -32603, "", "code of the error"),
    "message": Argument("text", "Internal error", "", "its text"),
    "data": Argument("json", None, "", "its data; null for none"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    error = {"code": args["code"], "message": args["message"]}
    if args["data"] is not None:
        error["data"] = args["data"]
    return each_frame(steps, lambda step: _answered(step, error))


def _answered(step: Deliver | Raw | Feed, error: dict[str, Json]) -> list[Step] | None:
    raw = raw_of(step)
    body = body_of(raw)
    values = values_of(body)
    kind = kind_of(values)
    if kind == "request" and not isinstance(step, Raw):
        answer = message_like(body, {"id": value_at(body, values, "/id"), "error": error})
        return [Raw(with_body(raw, answer), step.wire)]
    if kind != "reply":
        return None
    if "/result" in values:
        body = renamed(replaced(body, values, "/result", text(error)), values, "/result", "error")
    else:
        body = replaced(body, values, "/error", text(error))
    return [carrying(step, with_body(raw, body))]
