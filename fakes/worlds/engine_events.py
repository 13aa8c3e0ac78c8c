"""What an engine's inspector says of a window, as the rows that the model keeps: console messages and requests."""

from __future__ import annotations

from fakes.worlds.engine_table import HELD
from fakes.worlds.page_url import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from fakes.worlds.safari_windows import Tab

LEVELS = {"log": "info", "info": "info", "warning": "warn", "error": "error", "debug": "debug"}
"""Level of WebKit's inspector -> of the driver."""
ICON = "/favicon.ico"
"""Asked for by the engine alone: no page of the model does."""


class Request(dict[str, "Any"]):
    """One row of `tab.requests`. Its body is fetched from the engine when somebody looks at it."""

    def __init__(self, members: dict[str, Any], body: Callable[[], str | None]) -> None:
        super().__init__(members)
        self._body = body

    def __missing__(self, key: str) -> Any:
        if key != "body":
            raise KeyError(key)
        self["body"] = self._body() or ""
        return self["body"]


class Log:
    """Turns the events of one tab into rows. body: from the number of a request to its answer's body. A load clears
    the console, as the driver does: an engine says so itself."""

    def __init__(self, tab: Tab, console: list[Any], requests: list[Any], body: Callable[[str], str | None]) -> None:
        self._tab = tab
        self._console = console
        self._requests = requests
        self._body = body
        self._open: dict[str, dict[str, Any]] = {}
        """Requests that were sent: what is known of each."""

    def take(self, events: Iterable[dict[str, Any]], at_ms: float) -> None:
        for event in events:
            work = self._WORK.get(event["method"])
            if work is not None:
                work(self, event["params"], at_ms)

    def _cleared(self, params: dict[str, Any], at_ms: float) -> None:
        self._console.clear()

    def _message(self, params: dict[str, Any], at_ms: float) -> None:
        message = params["message"]
        if message["source"] != "network" or not split(message.get("url", ""))[2].startswith((ICON, HELD)):
            row = {"level": LEVELS[message["level"]], "text": _text(message), "url": message.get("url", "")}
            self._console.append({**row, "line": message.get("line", 0)})

    def _sent(self, params: dict[str, Any], at_ms: float) -> None:
        request = params["request"]
        if split(request["url"])[2].startswith((ICON, HELD)):
            return
        if "redirectResponse" in params and params["requestId"] in self._open:
            self._answered({**params, "response": params["redirectResponse"]}, at_ms)
            self._finished(params, at_ms)
        self._open[params["requestId"]] = {
            "request_id": params["requestId"],
            "url": request["url"],
            "method": request["method"],
            "initiator": {"type": params.get("initiator", {}).get("type", "other")},
            "began": params["timestamp"],
            "size": 0,
        }

    def _answered(self, params: dict[str, Any], at_ms: float) -> None:
        known = self._open.get(params["requestId"])
        if known is not None:
            known["response"] = params["response"]

    def _received(self, params: dict[str, Any], at_ms: float) -> None:
        if params["requestId"] in self._open:
            self._open[params["requestId"]]["size"] += params["dataLength"]

    def _finished(self, params: dict[str, Any], at_ms: float) -> None:
        known = self._open.pop(params["requestId"], None)
        if known is None or "response" not in known:
            return
        number = known["request_id"]
        row = {
            "request_id": number,
            "url": known["url"],
            "method": known["method"],
            "status": known["response"]["status"],
            "mime_type": known["response"]["mimeType"],
            "response_size_bytes": known["size"],
            "duration_ms": round(max(0.0, params["timestamp"] - known["began"]) * 1000, 3),
            "initiator": known["initiator"],
            "at_ms": at_ms,
        }
        self._requests.append(Request(row, lambda: self._body(number)))

    _WORK: dict[str, Callable[[Log, dict[str, Any], float], None]] = {
        "Console.messagesCleared": _cleared,
        "Console.messageAdded": _message,
        "Network.requestWillBeSent": _sent,
        "Network.responseReceived": _answered,
        "Network.dataReceived": _received,
        "Network.loadingFinished": _finished,
        "Network.loadingFailed": _finished,
    }


def _text(message: dict[str, Any]) -> str:
    """All that was logged, as one text: WebKit names the first argument only."""
    values = [_shown(each) for each in message.get("parameters", ())]
    return " ".join(values) if len(values) > 1 else str(message["text"])


def _shown(value: dict[str, Any]) -> str:
    return str(value.get("value", value.get("description", value.get("type"))))


class Live(list["Any"]):
    """A list that is brought up to now when somebody looks into it. fetch: adds what is new, by `append`."""

    def __init__(self, fetch: Callable[[], None]) -> None:
        super().__init__()
        self._fetch = fetch

    def __iter__(self) -> Any:
        self._fetch()
        return super().__iter__()

    def __len__(self) -> int:
        self._fetch()
        return super().__len__()

    def __getitem__(self, key: Any) -> Any:
        self._fetch()
        return super().__getitem__(key)
