"""Pages on loopback for the browser under test: what a test puts there, under any name that ends in .test."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent / "html"


def html(name: str) -> str:
    """One of the pages beside this file."""
    return (FOLDER / f"{name}.html").read_text(encoding="utf-8")


class Pages:
    """A server of pages by path. `put` adds one; a path not put is answered with 404."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[str, bytes, Mapping[str, str]]] = {}
        self.asked: list[str] = []
        pages = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                pages.asked.append(self.path)
                kind, body, more = pages.found.get(path, ("text/plain", b"not found", {}))
                self.send_response(200 if path in pages.found else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                for name, value in more.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                return

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def put(self, path: str, body: str | bytes, kind: str = "text/html; charset=utf-8", **headers: str) -> str:
        """Serve a page under a path; the path."""
        data = body.encode() if isinstance(body, str) else body
        self.found[path] = (kind, data, {name.replace("_", "-"): value for name, value in headers.items()})
        return path

    def url(self, path: str, host: str = "a.test") -> str:
        return f"http://{host}:{self.port}{path}"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
