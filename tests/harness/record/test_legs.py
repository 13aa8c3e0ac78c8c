"""The ends of the three streams, on descriptors of these tests' own."""
from __future__ import annotations

import os
import select
import socket
from pathlib import Path

import pytest

from harness.record.legs import ANY, Ends, exists, hold_numbers, same_file, sink_of


def test_a_pipe_is_written_to_by_a_description_of_our_own() -> None:
    source, sink = os.pipe()
    room, own, write = sink_of(sink)
    assert room == ANY
    assert not os.get_blocking(own)
    assert os.get_blocking(sink), "the client's own description stays as it was"
    assert write(own, b"x") == 1
    assert os.read(source, 9) == b"x"
    for each in (source, sink, own):
        os.close(each)


def test_a_pipe_that_nobody_reads_is_written_to_in_pieces(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    source = os.open(tmp_path / "fifo", os.O_RDONLY | os.O_NONBLOCK)
    sink = os.open(tmp_path / "fifo", os.O_WRONLY)
    os.close(source)
    assert sink_of(sink) == (select.PIPE_BUF, sink, os.write)
    os.close(sink)


def test_a_write_to_a_socket_does_not_wait_though_the_socket_does() -> None:
    """In a fork, since the descriptor is held until the process ends."""
    near, far = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        room, own, write = sink_of(near.fileno())
        near.close()
        sent = 0
        try:
            while True:
                sent += write(own, b"x" * 65536)
        except BlockingIOError:
            os._exit(0 if room == ANY and sent >= 65536 and os.get_blocking(own) else 1)
    near.close()
    assert os.waitpid(pid, 0)[1] == 0
    assert far.recv(10) == b"x" * 10
    far.close()


def test_files_take_everything_and_terminals_a_piece_at_a_time(tmp_path: Path) -> None:
    terminal, other = os.openpty()
    with open(tmp_path / "file", "wb") as file, open(os.devnull, "wb") as null:
        for each, room in ((file.fileno(), ANY), (null.fileno(), ANY), (other, select.PIPE_BUF)):
            assert sink_of(each) == (room, each, os.write)
    os.close(terminal)
    os.close(other)


def test_which_descriptors_share_an_order(tmp_path: Path) -> None:
    source, sink = os.pipe()
    again = os.dup(sink)
    other, another = os.pipe()
    null = os.open(os.devnull, os.O_WRONLY)
    assert same_file(sink, again)
    assert not same_file(sink, another)
    assert not same_file(null, os.dup(null)), "nobody sees an order there"
    for each in (source, sink, again, other, another, null):
        os.close(each)


def test_what_exists() -> None:
    source, sink = os.pipe()
    assert exists(source)
    os.close(source)
    assert not exists(source)
    os.close(sink)


def test_the_three_numbers_are_never_free() -> None:
    """In a fork, so that these tests keep their own."""
    pid = os.fork()
    if pid == 0:
        os.close(0)
        os.close(2)
        ends = Ends()
        streams = [leg.stream for leg in ends.legs]
        before = (ends.files[0], ends.files[2])
        held = exists(0) and exists(2)
        ends.close(1)
        free = os.open(os.devnull, os.O_RDONLY)
        os._exit(0 if held and streams == [1] and before == (None, None) and free > 2 and exists(1) else 1)
    assert os.waitpid(pid, 0)[1] == 0
    null = hold_numbers()
    assert null > 2
    os.close(null)


@pytest.mark.parametrize("kind", ["pipe", "file"])
def test_one_output_for_both_is_one_pipe_in_the_program(tmp_path: Path, kind: str) -> None:
    pid = os.fork()
    if pid == 0:
        sink = os.pipe()[1] if kind == "pipe" else os.open(tmp_path / "both", os.O_WRONLY | os.O_CREAT)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        ends = Ends()
        right = ends.one_output and ends.files[1] == ends.files[2] and [leg.stream for leg in ends.legs] == [0, 1]
        ends.take_sinks()
        os.write(2, b"goes nowhere")
        size = os.fstat(sink).st_size
        ends.close_files()
        os._exit(0 if right and size == 0 else 1)
    assert os.waitpid(pid, 0)[1] == 0
