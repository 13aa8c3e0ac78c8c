"""How a server finds the hosts of this user: one published file each, with the host's socket and its runtime token.

Separate from both ends, which have to agree on it. The folder is closed to other users, and so is each file; a file of
another form is nobody's.

A host that refuses its extension's protocol ends before any server can ask it. What it leaves for them is a notice,
which is its browser's: it counts for as long as that browser runs, and until a host of the same browser greets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from stack.chrome.ipc import TOKEN_DIGITS
from stack.contract import Host, Json

PREFIX: Final = "chrome-"
NOTICE_PREFIX: Final = "chrome-refused-"
FILE_SUFFIX: Final = ".json"
SOCKET_SUFFIX: Final = ".sock"
_ID_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One host. id: names its file and socket; browser: number of the browser's process; origin: of the extension."""

    id: str
    socket: str
    token: str
    browser: int
    origin: str
    version: str

    @property
    def address(self) -> str:
        return f"unix:{self.socket}"


@dataclass(frozen=True, slots=True)
class Notice:
    """Why the host of a browser refused its extension. browser: number of the browser's process."""

    browser: int
    message: str


def make_endpoint(host: Host, origin: str, version: str) -> Endpoint:
    """The endpoint of a host that is about to listen; nothing is published yet."""
    id = host.token(_ID_DIGITS)
    socket = str(host.meeting / f"{PREFIX}{id}{SOCKET_SUFFIX}")
    return Endpoint(id, socket, host.token(TOKEN_DIGITS), host.parent(), origin, version)


def publish(host: Host, endpoint: Endpoint) -> None:
    host.publish(f"{PREFIX}{endpoint.id}{FILE_SUFFIX}", json.dumps(asdict(endpoint)).encode())


def withdraw(host: Host, endpoint: Endpoint) -> None:
    """Take away what a host had: its file first, so that nobody dials a socket that is gone."""
    host.withdraw(f"{PREFIX}{endpoint.id}{FILE_SUFFIX}")
    host.withdraw(f"{PREFIX}{endpoint.id}{SOCKET_SUFFIX}")


def endpoints(host: Host) -> list[Endpoint]:
    """The endpoints that are published now, by id."""
    found = []
    for name, data in sorted(host.published().items()):
        if name.startswith(PREFIX) and name.endswith(FILE_SUFFIX):
            endpoint = _read(data, host)
            if endpoint is not None and name == f"{PREFIX}{endpoint.id}{FILE_SUFFIX}":
                found.append(endpoint)
    return found


def post(host: Host, notice: Notice) -> None:
    """Leave a notice for servers, in place of one that this browser has."""
    host.publish(f"{NOTICE_PREFIX}{notice.browser}{FILE_SUFFIX}", json.dumps(asdict(notice)).encode())


def unpost(host: Host, browser: int) -> None:
    """Take away the notice of a browser, where it has one."""
    host.withdraw(f"{NOTICE_PREFIX}{browser}{FILE_SUFFIX}")


def notices(host: Host) -> list[Notice]:
    """The notices of browsers that run; those of others are taken away. OSError where processes can't be listed."""
    found = []
    for name, data in sorted(host.published().items()):
        if name.startswith(NOTICE_PREFIX) and name.endswith(FILE_SUFFIX):
            fields = _fields(data, NOTICE_FIELDS)
            notice = Notice(**fields) if fields is not None else None  # type: ignore[arg-type]
            if notice is not None and host.tree(notice.browser):
                found.append(notice)
            else:
                host.withdraw(name)
    return found


async def sweep(host: Host) -> None:
    """Take away what killed hosts left: endpoints on whose sockets nobody listens any more."""
    for endpoint in endpoints(host):
        try:
            stream = await host.dial(endpoint.address)
        except (ConnectionRefusedError, FileNotFoundError):
            withdraw(host, endpoint)
        else:
            await stream.aclose()


def abandon(host: Host) -> None:
    """Take away the endpoints of browsers that run no more; nobody is dialled. OSError where no process can be listed.
    """
    for endpoint in endpoints(host):
        if not host.tree(endpoint.browser):
            withdraw(host, endpoint)


FIELDS: Final[Mapping[str, type]] = {
    "id": str, "socket": str, "token": str, "browser": int, "origin": str, "version": str,
}  # fmt: skip


NOTICE_FIELDS: Final[Mapping[str, type]] = {"browser": int, "message": str}


def _read(data: bytes, host: Host) -> Endpoint | None:
    fields = _fields(data, FIELDS)
    if fields is None:
        return None
    endpoint = Endpoint(**fields)  # type: ignore[arg-type]
    inside = endpoint.socket == str(host.meeting / f"{PREFIX}{endpoint.id}{SOCKET_SUFFIX}")
    return endpoint if inside and endpoint.id.isalnum() else None


def _fields(data: bytes, wanted: Mapping[str, type]) -> dict[str, Json] | None:
    """The members of a published file; None where they are others than these, or of other types."""
    try:
        fields: Json = json.loads(data)
    except ValueError:
        return None
    if not isinstance(fields, dict) or {name: type(value) for name, value in fields.items()} != dict(wanted):
        return None
    return fields
