"""The page program in a real WebKit page: requests as the bridge sends them, answers as Safari would give them."""

from __future__ import annotations

import json
from typing import Any

from fakes.engines.webkit import WebKit
from stack.safari_jxa.scripts import program

EPOCH = "e1"


class RealPage:
    """One window of the engine. nonce: counted up for each action; came: the observation that came with the last
    answer, which a refused action's has."""

    def __init__(self, engine: WebKit, url: str) -> None:
        self.engine = engine
        self.handle = engine.open(url)
        self._nonces = 0
        self.came: Any = None

    def close(self) -> None:
        self.engine.close_window(self.handle)

    def script(self, body: str, *arguments: Any) -> Any:
        """Run a function's body in the page."""
        return self.engine.evaluate(self.handle, body, *arguments)

    def ask(self, op: str, epoch: str = EPOCH, **more: Any) -> dict[str, Any]:
        """The program's answer to a request."""
        source = f"({program()}\n)({json.dumps({'op': op, 'epoch': epoch, **more})})"
        said = self.script("return (0, eval)(arguments[0])", source)
        assert isinstance(said, str)
        answer = json.loads(said)
        assert isinstance(answer, dict)
        self.came = answer.pop("seen", None)
        return answer

    def observe(self) -> dict[str, Any]:
        """An observation; binds the document first."""
        self.ask("bind")
        seen = self.ask("observe", rebind=None)
        assert seen["status"] == "ok", seen
        return seen

    def request(self, seen: dict[str, Any], action: dict[str, Any], text: str | None = None) -> dict[str, Any]:
        """What is asked for an action of an observation."""
        page, node = seen["page"], action.get("node")
        guard = {name: page[name] for name in ("route", "viewport")}
        guard |= seen["guards"][str(node)] if node else {name: page[name] for name in ("fields", "content")}
        direction = {"scroll-down": "down", "scroll-up": "up"}.get(action["id"])
        asked = {"kind": action["kind"], "node": node, "option": action.get("option"), "direction": direction}
        return {"action": asked, "guard": guard, "text": text}

    def act(
        self, seen: dict[str, Any], action: dict[str, Any], text: str | None = None, nonce: str | None = None
    ) -> dict[str, Any]:
        """Do an action."""
        self._nonces += 1
        return self.ask("act", nonce=nonce or f"n{self._nonces}", **self.request(seen, action, text))

    def fresh(self, seen: dict[str, Any], action: dict[str, Any]) -> dict[str, Any]:
        """Ask whether it could be done."""
        return self.ask("fresh", **self.request(seen, action))


def found(seen: dict[str, Any], label: str, kind: str = "click") -> dict[str, Any]:
    """The one action of a label and kind."""
    (action,) = [action for action in seen["actions"] if action["label"] == label and action["kind"] == kind]
    assert isinstance(action, dict)
    return action
