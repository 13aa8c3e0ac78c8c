"""How a broken host misreads its input: what is whole in each read passes, and what is not does not."""

from __future__ import annotations

import struct
from typing import Any

import anyio
import pytest

from harness.scenario.broken_input import Characters, Messages, Over, reads_hastily
from harness.serve.scheduler import run_virtual


def framed(text: str) -> bytes:
    body = text.encode()
    return struct.pack("=I", len(body)) + body


ONE, TWO, THREE = framed('"日本"'), framed("2"), framed("3")


@pytest.mark.parametrize("reads", [[ONE + TWO], [ONE, TWO], [ONE[:2], ONE[2:] + TWO], [ONE[:5], ONE[5:] + TWO]])
def test_characters_that_are_whole_in_their_reads_pass(reads: list[bytes]) -> None:
    made = Characters()
    assert b"".join(map(made.take, reads)) == ONE + TWO


def test_a_character_in_two_reads_becomes_others() -> None:
    made = Characters()
    assert made.take(ONE[:6]) == b""
    assert made.take(ONE[6:] + TWO) == framed('"\ufffd\ufffd\ufffd本"') + TWO


@pytest.mark.parametrize("reads", [[ONE, TWO], [ONE[:2], ONE[2:], TWO], [ONE[:9], ONE[9:], TWO]])
def test_messages_that_come_one_a_read_pass(reads: list[bytes]) -> None:
    made = Messages()
    assert b"".join(map(made.take, reads)) == ONE + TWO


def test_of_several_messages_in_a_read_one_is_taken_and_the_rest_stays_behind() -> None:
    made = Messages()
    assert made.take(ONE + TWO) == ONE
    assert made.take(THREE) == TWO
    assert made.take(THREE) == THREE


@pytest.mark.parametrize(
    ("what", "heard"),
    [("characters", [framed('"\ufffd\ufffd\ufffd本"') + TWO, THREE]), ("messages", [ONE, TWO])],
)
def test_a_stream_is_read_so(what: str, heard: list[bytes]) -> None:
    class Stream:
        reads = [ONE[:6], ONE[6:] + TWO, THREE]

        async def receive(self, max_bytes: int) -> bytes:
            await anyio.lowlevel.checkpoint()
            return self.reads.pop(0)

        async def aclose(self) -> None:
            self.reads.clear()

    async def main() -> list[Any]:
        under = Stream()
        stream = reads_hastily(under, {"what": what})
        return [await stream.receive(), await stream.receive()]

    assert run_virtual(main, 1) == heard


def test_what_is_not_put_over_is_that_of_the_other() -> None:
    over = Over("text", lower=lambda: "other")
    assert (over.lower(), over.upper()) == ("other", "TEXT")
