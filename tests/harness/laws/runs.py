"""Small runs made by hand, for the tests of the judges: a script of lines in one order, an instant each."""
from __future__ import annotations

import hashlib
from typing import Any

from harness.kept import KeptRun, Provenance
from harness.kept.lines import Line
from harness.tape.event import line, put_bytes

SHEET: dict[str, Any] = {
    "v": 1, "scenario": "computer-use/click.yaml", "subject": "computer-use", "back": "model", "mode": "virtual",
    "seed": 7, "steps": [], "ends_calls": ["cancel", "task_end"],
}
BUTTON = {"app": "chess", "window": "game", "node": "e2"}
OTHER = {"app": "chess", "window": "game", "node": "e4"}


class Script:
    """Writes a run line by line. Every line comes `step_ms` after the one before it, unless it says when (`t`)."""

    def __init__(self, step_ms: float = 1, **sheet: Any) -> None:
        self.sheet = {**SHEET, **sheet}
        self.history: list[dict[str, Any]] = []
        self.world: list[dict[str, Any]] = []
        self.journal: list[dict[str, Any]] = []
        self._step_ms = step_ms
        self._t = 0.0
        self._k = 0

    def _line(self, book: list[dict[str, Any]], e: str, t: float | None, fields: dict[str, Any]) -> Script:
        self._k += 1
        self._t = self._t + self._step_ms if t is None else t
        book.append({"n": len(book), "t": self._t, "k": self._k, "j": len(self.journal), "e": e, **fields})
        return self

    # History

    def ask(
        self, call: int, verb: str | None = None, ref: str | None = "4", value: Any = None,
        deadline_ms: float | None = 1000, t: float | None = None, **means: Any,
    ) -> Script:
        """A call. verb None: it is to change nothing."""
        wanted = None if verb is None else {"verb": verb, "ref": ref, "value": value, **means}
        fields = {"call": call, "tool": "tool", "arguments": {}, "means": wanted, "deadline_ms": deadline_ms}
        return self._line(self.history, "asked", t, fields)

    def answer(
        self, call: int, outcome: str = "done", code: str | None = None, content: Any = (), structured: Any = None,
        t: float | None = None, **fields: Any,
    ) -> Script:
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
        data = line({"content": blocks, "structured": structured}).encode()
        whole = {
            "call": call, "outcome": outcome, "code": code, "content": blocks, "structured": structured,
            "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data),
        }
        return self._line(self.history, "answered", t, {**whole, **fields})

    def tell(self, event: str, t: float | None = None, **data: Any) -> Script:
        return self._line(self.history, "told", t, {"event": event, "data": data or None})

    def past(self, e: str, t: float | None = None, **fields: Any) -> Script:
        """Any other line of the history."""
        return self._line(self.history, e, t, fields)

    def leave(self, processes: Any = (), files: Any = (), sockets: Any = (), **fields: Any) -> Script:
        found = {"processes": processes, "files": files, "sockets": sockets, **fields}
        lists = {name: list(names) if names is not None else None for name, names in found.items()}
        return self._line(self.history, "left", None, lists)

    # World

    def show(self, ref: str = "4", what: dict[str, Any] = BUTTON, p: int = 1) -> Script:
        return self._line(self.world, "shown", None, {"p": p, "ref": ref, "what": what})

    def effect(
        self, verb: str = "click", target: dict[str, Any] = BUTTON, value: Any = None, p: int = 1,
        t: float | None = None, **fields: Any,
    ) -> Script:
        return self._line(self.world, "effect", t, {"p": p, "verb": verb, "target": target, "value": value, **fields})

    def strike(self, fault: str, t: float | None = None, id: str = "f1", **place: Any) -> Script:
        return self._line(self.world, "fault", t, {"id": id, "fault": fault, "place": place, "p": 1})

    def world_line(self, e: str, t: float | None = None, **fields: Any) -> Script:
        return self._line(self.world, e, t, fields)

    def feign(self, verb: str, target: dict[str, Any] = BUTTON, **fields: Any) -> Script:
        return self.world_line("feigned", p=1, verb=verb, target=target, why="the screen is locked", **fields)

    # Journal

    def event(self, e: str, p: int = 1, t: float | None = None, **fields: Any) -> Script:
        self._t = self._t + self._step_ms if t is None else t
        self.journal.append({"n": len(self.journal), "t": self._t, "p": p, "e": e, **fields})
        return self

    def start(self, program: str = "codex", p: int = 1, argv: Any = (), **fields: Any) -> Script:
        return self.event("started", p, program=program, argv=list(argv), **fields)

    def sent(self, data: bytes, p: int = 1, s: str = "in", t: float | None = None, **fields: Any) -> Script:
        return self.event("bytes", p, t, w="stdio", s=s, **put_bytes(data), **fields)

    def run(self, provenance: Provenance | None = None) -> KeptRun:
        lines: tuple[list[Line], list[Line], list[Line]] = ([*self.history], [*self.world], [*self.journal])
        return KeptRun(self.sheet, *lines, provenance or Provenance())


def click(script: Script | None = None, call: int = 0, outcome: str = "done", effects: int = 1) -> Script:
    """Shown, asked to click it, clicked, answered."""
    script = script or Script()
    script.show().ask(call, "click")
    for _ in range(effects):
        script.effect()
    return script.answer(call, outcome)


def typical(calls: int = 10) -> Script:
    """The run that judging is measured on: ten calls, six frames a call, four things shown for each."""
    script = Script(
        steps=[{"call": {"tool": "click"}, "expect": {"outcome": "done"}} for _ in range(calls)],
        bounds={"call_ms": 120000, "reply_bytes": 100000, "frame_bytes": 8 << 20},
    ).start().start("helper", 2, parent=1)
    script.world_line("held", p=2, what="lease", id="chess")
    for call in range(calls):
        for ref in range(4):
            script.show(str(ref), {"app": "chess", "window": "game", "node": f"n{ref}"}, p=2)
        script.ask(call, "click", "3")
        for n in range(3):
            script.sent(b'{"method":"mcpServer/tool/call","id":%d,"params":{"a":"%d"}}\n' % (call, n))
            script.sent(b'{"id":%d,"result":{"content":[{"type":"text","text":"state"}]}}\n' % call, s="out")
        script.effect("click", {"app": "chess", "window": "game", "node": "n3"}, p=2)
        script.answer(call, content="state of the application")
    return script.world_line("freed", p=2, what="lease", id="chess").leave()
