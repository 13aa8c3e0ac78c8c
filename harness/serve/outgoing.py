"""What one process writes: bytes to streams, their frames to the journal, and the order in which they may go.

Separate from the session, which knows handlers and time: here is nothing but what is written now, what is held until a
frame in pieces is whole, and what is gathered for one write.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any, TypeAlias

    from harness.serve.stage import Stage
    from harness.serve.wires import Wire
    from harness.wire.frame import Frame

    Output: TypeAlias = tuple[Any, ...]
    """("write", wire, stream, bytes) | ("close", wire, stream) | ("spawn", wire, session, step)
    | ("kill", wire, number) | ("exit", status)"""


class Outgoing:
    """The outputs of process `p`, in order, for the pump to take.

    children: names of the wires whose other end has a journal of its own. pairs: whether the machine wants frames that
    it sends to be known, also where nobody else does.
    """

    def __init__(self, stage: Stage, p: int, children: Container[str], pairs: bool) -> None:
        self.outputs: list[Output] = []
        self._stage = stage
        self._p = p
        self._children = children
        self.blind = not pairs and stage.silent
        """Whether nobody wants to know which frames come and go."""

    def take(self) -> list[Output]:
        outputs, self.outputs = self.outputs, []
        return outputs

    def put(self, wire: Wire, stream: str, data: bytes) -> None:
        """Write, or hold until the frame that is being written in pieces is whole."""
        if stream in wire.held:
            wire.held[stream].append(data)
        else:
            self.write(wire, stream, data)

    def write(self, wire: Wire, stream: str, data: bytes) -> None:
        channel = wire.outward[stream]
        if channel.closed or not data:
            return
        if self.blind:
            pass
        elif wire.name not in self._children:
            for frame, cuts in channel.feed(data):
                self._went(wire, stream, frame, cuts)
        else:
            for frame, _ in channel.feed(data):
                wire.goes(frame, None)
        if stream in wire.corked:
            wire.corked[stream] += data
        else:
            self.outputs.append(("write", wire.name, stream, data))

    def _went(self, wire: Wire, stream: str, frame: Frame, cuts: list[int]) -> None:
        cause = wire.goes(frame, self._stage.next_event) if stream != "err" else None
        self._stage.write_bytes(self._p, wire.name, stream, frame.raw, cuts, cause)

    def hold(self, wire: Wire, stream: str) -> None:
        """From here on other handlers' bytes wait."""
        wire.held.setdefault(stream, [])

    def release(self, wire: Wire, stream: str) -> None:
        for data in wire.held.pop(stream):
            self.write(wire, stream, data)

    def cork(self, wire: Wire, stream: str) -> None:
        """From here on what is written is gathered."""
        wire.corked.setdefault(stream, bytearray())

    def uncork(self, wire: Wire, stream: str) -> None:
        """Write at once what was gathered."""
        data = bytes(wire.corked.pop(stream, b""))
        if data:
            self.outputs.append(("write", wire.name, stream, data))

    def close(self, wire: Wire, stream: str) -> None:
        channel = wire.outward[stream]
        if not channel.closed:
            self.end(wire, stream)
            channel.closed = True
            if wire.name not in self._children:
                self._stage.write(self._p, "closed", w=wire.name, s=stream)
            self.outputs.append(("close", wire.name, stream))

    def end(self, wire: Wire, stream: str) -> None:
        """The stream's last bytes: what was gathered, and the half frame that is open."""
        self.uncork(wire, stream)
        for frame, cuts in wire.outward[stream].end():
            if wire.name not in self._children:
                self._went(wire, stream, frame, cuts)
