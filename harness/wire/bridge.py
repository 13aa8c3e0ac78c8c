"""The dialect `bridge`: messages between our browser extension and its native host, as native messages.

Separate from `native`, where every message is a raw frame: here the members `type`, `verb` and `id` say which request a
reply belongs to, so that faults and assertions can name a verb. The browser's side is the program: `>>` comes from the
host and has Chrome's limit toward the browser, `<<` comes from the extension.
"""
from __future__ import annotations

from harness.wire.frame import Frame
from harness.wire.native import NativeCodec


class BridgeCodec(NativeCodec):
    """Native messages with a `type`: `request` (its verb is the method), `response`; all others are notices."""

    dialect = "bridge"

    def _read(self, raw: bytes) -> Frame:
        frame = super()._read(raw)
        value = frame.value
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            return frame
        kind, verb, id = str(value["type"]), value.get("verb"), value.get("id")
        if kind == "request" and isinstance(verb, str) and isinstance(id, str):
            return Frame(raw, value, "request", verb, id, True, frame.problem)
        if kind == "response" and isinstance(id, str):
            return Frame(raw, value, "reply", None, id, True, frame.problem)
        event = value.get("event")
        method = event if kind == "event" and isinstance(event, str) else kind
        return Frame(raw, value, "notice", method, problem=frame.problem)
