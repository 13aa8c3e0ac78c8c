"""W3C WebDriver as it stands on the wire: one command, one answer, over one kept connection; errors by their W3C word.

Separate from the engine because it knows no browser: paths, bodies and sessions are the caller's. No client library,
since one would wait, retry and translate where a fake has to show what the engine said.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from http.client import HTTPConnection, HTTPResponse
    from typing import Any

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of a reference to an element (W3C WebDriver, section Elements)."""
FRAME = "frame-075b-4da1-b6ec-e579c2d3230a"
WINDOW = "window-fcc6-11e5-b4f8-330a88ab9d7f"


class DriverError(Exception):
    """The engine refused a command. code: the error of the W3C table, for example `no such window`."""

    def __init__(self, code: str, message: str, data: Any = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.data = data


class Hung(Exception):
    """No answer in time, or the connection broke: the engine can't be used any more, and has to be ended."""


class Driver:
    """A connection to a WebDriver on loopback. timeout_s: how long one command may take."""

    def __init__(self, port: int, timeout_s: float) -> None:
        self._port = port
        self._timeout_s = timeout_s
        self._connection: HTTPConnection | None = None
        self.session = ""

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """One command outside of a session: its value. Raises DriverError, and Hung."""
        from http.client import HTTPException
        from json import dumps, loads

        content = None if body is None and method != "POST" else dumps(body or {}).encode()
        headers = {"Content-Type": "application/json"} if content is not None else {}
        try:
            response = self._send(method, path, content, headers)
            said = loads(response.read())
        except (OSError, HTTPException, ValueError) as error:
            self.close()
            raise Hung(f"{method} {path}: {type(error).__name__}: {error}") from error
        value = said.get("value") if isinstance(said, dict) else said
        if response.status >= 400:
            value = value if isinstance(value, dict) else {}
            code, message = str(value.get("error", "unknown error")), str(value.get("message", ""))
            raise DriverError(code, message, value.get("data"))
        return value

    def do(self, method: str, path: str, body: Any = None) -> Any:
        """One command of the session."""
        return self.ask(method, f"/session/{self.session}{path}", body)

    def is_up(self) -> bool:
        """Whether somebody answers on the port yet."""
        try:
            self.ask("GET", "/status")
        except Hung:
            return False
        return True

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _send(self, method: str, path: str, content: bytes | None, headers: dict[str, str]) -> HTTPResponse:
        from http.client import HTTPConnection

        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self._port, timeout=self._timeout_s)
        self._connection.request(method, path, content, headers)
        return self._connection.getresponse()


def element(value: Any) -> str | None:
    """The reference in a value that stands for an element, None for any other value."""
    return value.get(ELEMENT) if isinstance(value, dict) else None
