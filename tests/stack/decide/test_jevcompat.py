"""A stranger's server of this API, and its faults, against our client: right answers are followed, wrong ones are not.

Its faults are its own names; each is of a kind that our client has to notice in a head that it reads, or may ignore.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from stack.decide.answer import Decision
from stack.decide.model import decide
from stack.decide.question import request
from stack.decide.settings import Model
from stack.decide.space import space_of
from stack.errors import StackError
from stack.host import RealHost
from tests.stack.decide.deciding import page

JEVCOMPAT = Path(sys.executable).with_name("jevcompat")
pytestmark = pytest.mark.skipif(not JEVCOMPAT.exists(), reason="jevcompat is not installed")


@contextmanager
def mock(*words: str) -> Iterator[str]:
    """Their server, on a free port of loopback."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [str(JEVCOMPAT), "mock", "--port", str(port), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def asked(url: str, folder: Path) -> Decision | str:
    """The decision, or the code of the error. A server that does not listen yet is asked again."""
    seen = page()
    space = space_of(seen)
    body = request(space, seen, "Buy one", [], "jev-latest")

    async def main() -> Decision | str:
        host = RealHost(folder=folder / "state", locks=folder / "locks", meeting=folder / "meeting")
        for _ in range(200):
            try:
                return await decide(host, Model(url, "jev-latest", "k"), body, space)
            except StackError as error:
                if error.code != "http_unreachable":
                    return error.code
            await anyio.sleep(0.1)
        raise AssertionError("their server did not start")

    return anyio.run(main, backend="trio")


def test_a_right_answer_is_followed(tmp_path: Path) -> None:
    with mock("--key", "k") as url:
        assert isinstance(asked(url, tmp_path), Decision)
    with mock("--key", "other") as url:
        assert asked(url, tmp_path) == "model_refused"


@pytest.mark.claim("JXA-RUN-09", tooth="a stranger's server with a fault of its own")
@pytest.mark.parametrize("fault", ["choice-second", "choice-sum", "choice-key-case", "xssi-200", "wrong-route"])
def test_a_wrong_answer_is_noticed(tmp_path: Path, fault: str) -> None:
    with mock("--fault", fault) as url:
        assert asked(url, tmp_path) in ("model_invalid", "model_refused")


@pytest.mark.parametrize("fault", ["nan", "confidence-over", "confidence-margin", "choice-no-confidence", "no-usage"])
def test_what_is_wrong_where_nothing_is_read_changes_nothing(tmp_path: Path, fault: str) -> None:
    with mock("--fault", fault) as url:
        assert isinstance(asked(url, tmp_path), Decision)
