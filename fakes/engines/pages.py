"""The only network of an engine: a proxy on loopback that answers for a world's pages and refuses every other host.

Pages keep their own addresses (`http://shop.test/cart`), so that what a page, its links and its requests say is what
the world says, and nothing of it can leave the machine. Run as a script, it is a process of its own, because the
engine asks for pages while its world is waiting for the engine:

    pages.py TABLE      writes its port as the first line; the table is read anew for each request

The table is JSON: {"http://shop.test/cart": {"status": 200, "headers": [["Content-Type", "text/html"]], "body": "...",
"delay_ms": 0, "method": "GET"}, ...}; a key may end in `*`. `"refused": true` cuts the connection, `"after": true`
holds the answer back until the table no longer says so, `"turns": [...]` has one answer for the first request, one for
the second, and so on (the last one for all that follow). An origin without any key does not exist.
Secure addresses are answered with a certificate of the table's folder, made on first use.
"""
from __future__ import annotations

import fcntl
import hashlib
import json
import os
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from socketserver import ForkingMixIn, TCPServer
from typing import Any
from urllib.parse import urlsplit

ICON = "/favicon.ico"
"""Every engine asks for it; a page without one has none, and that is no failure of the page."""
HELD_S = 0.02
"""How often it is looked whether an answer that is held back may go."""
CERTIFICATE = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
               "-days", "2", "-subj", "/CN=pages")


def find(table: Mapping[str, Any], method: str, url: str) -> Mapping[str, Any] | None:
    """The answer for an address, None where there is none: exact, without its query, then by the longest `*`."""
    bare = url.partition("#")[0]
    stars = sorted((key for key in table if key.endswith("*") and bare.startswith(key[:-1])), key=len, reverse=True)
    for key in (bare, bare.partition("?")[0], *stars):
        entry = table.get(key)
        if entry is not None and entry.get("method", method) == method:
            found: Mapping[str, Any] = entry
            return found
    return None


def origin(url: str) -> str:
    """Scheme, host and port, as an address writes them."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def origins(table: Mapping[str, Any]) -> set[str]:
    """The origins that exist; nobody is at any other one."""
    return {origin(key.rstrip("*")) for key in table}


class Table:
    """The answers, as the file has them now."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen: tuple[int, int] | None = None
        self._read: dict[str, Any] = {}

    def now(self) -> dict[str, Any]:
        state = os.stat(self._path)
        seen = (state.st_mtime_ns, state.st_ino)
        if seen != self._seen:
            with open(self._path, encoding="utf-8") as file:
                self._read = json.load(file)
            self._seen = seen
        return self._read


class Handler(BaseHTTPRequestHandler):
    """One connection of the browser."""

    protocol_version = "HTTP/1.1"
    server: Server
    _origin = ""

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_CONNECT(self) -> None:
        """A secure connection: what follows on it is encrypted, and asked for without its host."""
        secure = f"https://{self.path.removesuffix(':443')}"
        if secure not in origins(self.server.table.now()):
            self._refuse()
            return
        self.send_response(200)
        self.end_headers()
        self.close_connection = False
        self.connection = self.request = self.server.secure(self.connection)
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
        self._origin = secure

    def finish(self) -> None:
        """A secure connection is another object than the one that the server closes."""
        super().finish()
        self.connection.close()

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = self._origin + self.path
        entry = self._answer(url)
        if entry is None:
            if origin(url) in origins(self.server.table.now()):
                status = 204 if urlsplit(url).path == ICON else 404
                entry = {"status": status, "headers": [["Content-Type", "text/plain"]]}
            else:
                self._refuse()
                return
        if entry.get("refused"):
            self._refuse()
            return
        body = str(entry.get("body", "")).encode()
        self.send_response(int(entry.get("status", 200)))
        for name, value in entry.get("headers") or [["Content-Type", "text/html; charset=utf-8"]]:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = do_GET

    def _answer(self, url: str) -> Mapping[str, Any] | None:
        entry = find(self.server.table.now(), self.command, url)
        if entry is not None:
            time.sleep(float(entry.get("delay_ms", 0)) / 1000)
        while entry is not None and entry.get("after"):
            time.sleep(HELD_S)
            entry = find(self.server.table.now(), self.command, url)
        if entry is not None and "turns" in entry:
            turns = entry["turns"]
            return turns[min(self.server.nth(url), len(turns) - 1)]  # type: ignore[no-any-return]
        return entry

    def _refuse(self) -> None:
        """Nobody is there: the connection ends without an answer."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


class Server(ForkingMixIn, TCPServer):
    """A process a connection, so that an answer that is held back holds nothing else."""

    allow_reuse_address = True
    request_queue_size = 64
    max_children = 200

    def __init__(self, path: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.table = Table(path)
        self._folder = os.path.dirname(path)

    def nth(self, url: str) -> int:
        """How often an address was asked for before, in all processes: a byte each in a file of its own."""
        name = hashlib.sha256(url.partition("#")[0].encode()).hexdigest()
        with open(f"{self._folder}/{name}.asked", "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            before = os.fstat(file.fileno()).st_size
            file.write(b".")
        return before

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle is no error of ours; anything else is said on stderr."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def secure(self, connection: socket.socket) -> socket.socket:
        """The connection with TLS; the certificate is nobody's, and the engine is told to accept it."""
        pair = f"{self._folder}/secure.pem"
        if not os.path.exists(pair):  # several processes may make one: whichever is put into place last is whole
            made = f"{pair}.{os.getpid()}"
            command = [*CERTIFICATE, "-keyout", made, "-out", f"{made}.crt"]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            with open(made, "ab") as whole, open(f"{made}.crt", "rb") as certificate:
                whole.write(certificate.read())
            os.replace(made, pair)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pair)
        return context.wrap_socket(connection, server_side=True)


def main(words: list[str]) -> None:
    with Server(words[0]) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
