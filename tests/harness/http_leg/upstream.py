"""A service on loopback that counts what reaches it: connections, and requests."""
from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Upstream:
    """What has reached it so far."""

    port: int = 0
    connections: int = 0
    requests: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def upstream() -> Iterator[Upstream]:
    """The service while it runs. It answers with the number of the request; `/gzip` compressed; `/none` not at all; a
    path that ends in `.html` with a page."""
    seen = Upstream()

    class Server(ThreadingHTTPServer):
        def process_request(self, request: Any, client_address: Any) -> None:
            seen.connections += 1
            super().process_request(request, client_address)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            seen.requests.append((self.command, self.path, dict(self.headers), body))
            if self.path == "/none":
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            answer = b'{"number":%d,"session_token":"tok-4711-secret"}' % len(seen.requests)
            self.send_response(200)
            if self.path == "/gzip":
                import gzip

                answer = gzip.compress(answer)
                self.send_header("Content-Encoding", "gzip")
            page = self.path.endswith(".html")
            if page:
                answer = b"<!doctype html><title>Page %d</title><p>Read me" % len(seen.requests)
            self.send_header("Content-Type", "text/html" if page else "application/json")
            self.send_header("Set-Cookie", "session=cookie-4711-secret")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        do_GET = do_DELETE = do_POST

        def log_message(self, format: str, *args: Any) -> None:
            return

    with Server(("127.0.0.1", 0), Handler) as server:
        seen.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield seen
        finally:
            server.shutdown()
            thread.join()


def asked(port: int, path: str, body: bytes = b"{}", method: str = "POST", **headers: str) -> tuple[int, bytes]:
    """One request over loopback, `path` as its target: status and body; status 0 where no reply came."""
    names = {"Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, body, names)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, HTTPException):
        return 0, b""
    finally:
        connection.close()
