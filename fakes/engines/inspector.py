"""What WebDriver lacks, from WebKit's remote inspector beside it: console, network, bodies, whole pictures, media.

One connection to the browser, one attached target a window. Targets have numbers in the order in which they are made;
the automation's own is never attached to, since that hangs WebDriver. Nothing reads in the background: what the browser
has said waits in the socket until `pump` or a command takes it.
Source: WebKit's inspector protocol, and trailcam facts, WebKitGTK 2.50.6.
"""
from __future__ import annotations

from fakes.engines.frames import Reader, encode, numbers, read_numbers, read_text, text
from fakes.engines.webdriver import Hung

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from typing import Any

CONNECTION = 1
READ = 1 << 18
DOMAINS = ("Console.enable", "Network.enable", "Page.enable")


class InspectorError(Exception):
    """The browser refused a command of the inspector."""


class Target:
    """One window. page: the page's own target inside of it; it changes where a navigation changes the process."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.page = ""
        self.events: list[dict[str, Any]] = []
        """What pages said and nobody has taken yet: `{"method", "params"}`."""


class Inspector:
    """The connection. timeout_s: how long one command may take."""

    def __init__(self, address: str, timeout_s: float) -> None:
        import socket

        host, _, port = address.rpartition(":")
        self._timeout_s = timeout_s
        self._socket: socket.socket = socket.create_connection((host, int(port)), timeout_s)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._reader = Reader()
        self._targets: dict[int, Target] = {}
        self._wanted: set[int] = set()
        self._answers: dict[int, dict[str, Any]] = {}
        self._ids = 0
        self._socket.sendall(encode("SetupInspectorClient", b"\0"))

    def attach(self, number: int) -> Target:
        """Attach to a target, and switch on what it has to say. Raises Hung where it does not answer."""
        target = self._targets[number] = Target(number)
        self._socket.sendall(encode("Setup", numbers(CONNECTION, number)))
        self._until(lambda: bool(target.page), f"target {number} to show its page")
        for method in DOMAINS:
            self.tell(target, method)
        return target

    def detach(self, target: Target) -> None:
        """Its window is gone."""
        self._targets.pop(target.number, None)

    def tell(self, target: Target, method: str, **params: Any) -> int:
        """Send a command, whose answer nobody has to wait for; its number."""
        from json import dumps

        self._ids += 1
        inner = dumps({"id": self._ids, "method": method, "params": params})
        outer = {"id": self._ids, "method": "Target.sendMessageToTarget",
                 "params": {"targetId": target.page, "message": inner}}  # fmt: skip
        self._socket.sendall(encode("SendMessageToBackend", numbers(CONNECTION, target.number) + text(dumps(outer))))
        return self._ids

    def ask(self, target: Target, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and wait for its result. Raises InspectorError, and Hung."""
        number = self.tell(target, method, **params)
        self._wanted.add(number)
        self._until(lambda: number in self._answers, method)
        said = self._answers.pop(number)
        if "error" in said:
            raise InspectorError(f"{method}: {said['error'].get('message', said['error'])}")
        result: dict[str, Any] = said.get("result", {})
        return result

    def take(self, target: Target) -> list[dict[str, Any]]:
        """What a window's pages have said by now. A command goes ahead, so that all before it has come."""
        self.ask(target, "Runtime.enable")
        events, target.events = target.events, []
        return events

    def close(self) -> None:
        self._socket.close()

    def _until(self, ready: Any, what: str) -> None:
        """Read until something has come. The time counts from what came last."""
        while not ready():
            try:
                data = self._socket.recv(READ)
            except OSError as error:
                raise Hung(f"the inspector, waiting for {what}: {error}") from error
            if not data:
                raise Hung(f"the inspector closed its connection; expected {what}")
            for name, arguments in self._reader.feed(data):
                self._said(name, arguments)

    def _said(self, name: str, arguments: bytes) -> None:
        if name == "SendMessageToFrontend":
            from json import loads

            (_, number), rest = read_numbers(arguments, 2)
            target = self._targets.get(number)
            if target is not None:
                self._told(target, loads(read_text(rest)))

    def _told(self, target: Target, message: dict[str, Any]) -> None:
        """A message of a window's own agent: its pages come and go, and say things."""
        from json import loads

        params = message.get("params", {})
        match message.get("method"):
            case "Target.targetCreated":
                if not params["targetInfo"].get("isProvisional"):
                    target.page = params["targetInfo"]["targetId"]
            case "Target.didCommitProvisionalTarget":
                target.page = params["newTargetId"]
                for method in DOMAINS:
                    self.tell(target, method)
            case "Target.dispatchMessageFromTarget":
                said = loads(params["message"])
                if "id" in said:
                    self._answered(said)
                else:
                    target.events.append(said)
            case None if "error" in message:
                self._answered(message)

    def _answered(self, said: dict[str, Any]) -> None:
        """The answer to a command, where somebody waits for it."""
        if said["id"] in self._wanted:
            self._wanted.discard(said["id"])
            self._answers[said["id"]] = said
