"""The first line of a tape: where it came from, how far it may be trusted, on which clock, redacted how, until when.

The tables are the schema, as in `event`. A header is written once, before the first event; what is known only at the
end (how often a redaction rule struck) stands in a closing note.
"""
from __future__ import annotations

from harness.tape.event import VERSION, line
from harness.tape.problem import NewerTape, OlderTape, TapeProblem
from harness.tape.schema import fault_in, is_sha256, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.tape.event import Table
    from harness.tape.schema import Fault
    from harness.wire.jsontext import Json

STRENGTHS = {
    "documented": "written after documentation",
    "model": "a fake",
    "engine": "the real program in another place than its own, or a real browser engine",
    "live": "the real program where it belongs",
}
"""What a tape may come from, from weak to strong. A tape is as strong as what it was recorded from."""
FIDELITIES = {
    "verbatim": "the bytes as they stood on the wire",
    "reconstructed": "bytes made from parsed frames: only the frames may be compared",
}
CLOCKS = {
    "virtual": "a run's own clock",
    "monotonic": "the machine's clock, so that tapes of one boot can be joined",
    "reconstructed": "times taken over from another log",
}

HEADER: dict[str, tuple[str, bool, str]] = {
    "trailcam": ("str", True, "always `tape`"),
    "v": ("count", True, "version of this format"),
    "origin": ("object", True, "where the tape came from; fields below"),
    "bytes": ("str", True, "what its bytes are; one of the below"),
    "clock": ("object", True, "what `t` counts on; fields below"),
    "profile": ("str or null", True, "name of the order and binding profile that the tape replays under, or null"),
    "wires": ("object", True, "program -> wire -> dialect of its in and out streams"),
    "redaction": ("list", True, "one entry for each rule that was on; fields below"),
    "expires": ("date or null", True, "day from which the tape counts as stale, or null"),
    "hashes": ("object", True, "name -> SHA-256 of what the tape was made from"),
    "date": ("date or null", True, "when it was recorded, or null where nobody knows"),
}
ORIGIN: dict[str, tuple[str, bool, str]] = {
    "strength": ("str", True, "what it was recorded from; one of the below"),
    "products": ("list", True, "the programs that spoke; fields below"),
    "platform": ("str", True, "operating system and machine, as far as it matters"),
    "recorder": ("str", True, "what wrote the tape, with its version"),
    "source": ("str", False, "what the tape was made from, in words"),
}
PRODUCT: dict[str, tuple[str, bool, str]] = {
    "name": ("str", True, "name of the product"),
    "version": ("str", True, "its version"),
    "sha256": ("sha256", False, "SHA-256 of its executable"),
}
CLOCK: dict[str, tuple[str, bool, str]] = {
    "kind": ("str", True, "which clock; one of the below"),
    "boot": ("str", False, "identity of the boot, for monotonic"),
    "began_ns": ("count", False, "reading of the clock at t = 0, in nanoseconds, for monotonic"),
}
REDACTION: dict[str, tuple[str, bool, str]] = {
    "what": ("str", True, "what the rule looked for; never the secret"),
    "how": ("str", True, "what stands in its place"),
    "count": ("count", False, "how often it struck, where it was known when the header was written"),
}
CHOICES = {"strength": STRENGTHS, "bytes": FIDELITIES, "kind": CLOCKS}
"""Field -> the only values that it may have."""


class Header:
    """The header of a tape. Takes what `header_of` has checked, or what a recorder says; `as_json` gives it back.

    origin, clock, redaction: as in the tables above. wires: program -> wire -> dialect.
    """

    __slots__ = (
        "origin", "bytes", "clock", "profile", "wires", "redaction", "expires", "hashes", "date",
    )

    def __init__(
        self,
        origin: Mapping[str, Json],
        *,
        bytes: str = "verbatim",
        clock: Mapping[str, Json] | None = None,
        profile: str | None = None,
        wires: Mapping[str, Mapping[str, str]] | None = None,
        redaction: Sequence[Mapping[str, Json]] = (),
        expires: str | None = None,
        hashes: Mapping[str, str] | None = None,
        date: str | None = None,
    ) -> None:
        self.origin: dict[str, Json] = dict(origin)
        self.bytes = bytes
        self.clock: dict[str, Json] = dict(clock or {"kind": "virtual"})
        self.profile = profile
        self.wires: dict[str, dict[str, str]] = {program: dict(each) for program, each in (wires or {}).items()}
        self.redaction: list[dict[str, Json]] = [dict(entry) for entry in redaction]
        self.expires = expires
        self.hashes: dict[str, str] = dict(hashes or {})
        self.date = date

    def as_json(self) -> dict[str, Json]:
        """The fields of the header line, in the order of the table."""
        fields: dict[str, Json] = {"trailcam": "tape", "v": VERSION}
        for name in self.__slots__:
            fields[name] = getattr(self, name)
        return fields

    def line(self) -> str:
        """The header line, without its newline. Raises TapeProblem where the reader would refuse it."""
        fields = self.as_json()
        fault = header_fault(fields)
        if fault is not None:
            raise TapeProblem(*fault, "give the recorder a header after docs/tape-format.md")
        return line(fields)

    def dialect(self, program: str, wire: str, stream: str) -> str:
        """Dialect of a stream: what the header says, `lines` for stderr, `raw` where the header says nothing."""
        named = self.wires.get(program, {}).get(wire, "raw")
        return "lines" if stream == "err" and named != "raw" else named


def header_of(fields: Json, file: str) -> Header:
    """The header in the decoded first line of `file`. Raises TapeProblem, NewerTape for a version from the future."""
    if type(fields) is not dict or fields.get("trailcam") != "tape":
        raise _no_tape(fields, file)
    version = fields.get("v")
    if type(version) is int and version > VERSION:
        raise NewerTape(
            f"a tape of version {version}",
            f"version {VERSION} or older",
            "upgrade trailcam (pip install --upgrade trailcam), or record the tape again with this one",
            file=file,
            line=1,
        )
    fault = header_fault(fields)
    if fault is not None:
        raise TapeProblem(*fault, "correct the header after docs/tape-format.md, or record the tape again",
                          file=file, line=1)
    return Header(
        fields["origin"], bytes=fields["bytes"], clock=fields["clock"], profile=fields["profile"],
        wires=fields["wires"], redaction=fields["redaction"], expires=fields["expires"], hashes=fields["hashes"],
        date=fields["date"],
    )


def _no_tape(fields: Json, file: str) -> TapeProblem:
    if type(fields) is dict and "dir" in fields and "frame" in fields:
        return OlderTape(
            "a log of {dir, ts, frame} lines, the form before version 1",
            "a tape's header",
            f"make a tape of it: trailcam tape import {file} --out TAPE --product NAME=VERSION",
            file=file,
            line=1,
        )
    seen = f"{shown(fields)}" if type(fields) is not dict else f"an object with {', '.join(fields) or 'no fields'}"
    return TapeProblem(
        seen, 'a header that begins {"trailcam":"tape","v":1', "name a tape that trailcam recorded or imported",
        file=file, line=1,
    )


def header_fault(fields: Mapping[str, Json]) -> Fault | None:
    """The first thing in a decoded header line of this version that the tables do not allow."""
    fault = fault_in(fields, HEADER, "the header") or _choice_fault(fields, ("bytes",))
    if fault is not None:
        return fault
    if fields["v"] != VERSION:
        return f"version {fields['v']}", f"version {VERSION}"
    origin, clock = fields["origin"], fields["clock"]
    assert isinstance(origin, dict)
    assert isinstance(clock, dict)
    return (
        fault_in(origin, ORIGIN, "origin")
        or _choice_fault(origin, ("strength",))
        or _entries_fault(origin["products"], PRODUCT, "a product")
        or fault_in(clock, CLOCK, "clock")
        or _choice_fault(clock, ("kind",))
        or _entries_fault(fields["redaction"], REDACTION, "a redaction")
        or _wires_fault(fields["wires"])
        or _hashes_fault(fields["hashes"])
    )


def _choice_fault(fields: Mapping[str, Json], names: tuple[str, ...]) -> Fault | None:
    for name in names:
        if fields[name] not in CHOICES[name]:
            return f"{name} {shown(fields[name])}", f"one of {', '.join(CHOICES[name])}"
    return None


def _entries_fault(entries: Json, table: Table, what: str) -> Fault | None:
    assert isinstance(entries, list)
    for entry in entries:
        if type(entry) is not dict:
            return f"{shown(entry)} as {what}", "an object"
        fault = fault_in(entry, table, what)
        if fault is not None:
            return fault
    return None


def _wires_fault(wires: Json) -> Fault | None:
    assert isinstance(wires, dict)
    for program, named in wires.items():
        if type(named) is not dict or not all(type(dialect) is str for dialect in named.values()):
            return f"wires of {program}: {shown(named)}", "an object from wire to dialect"
    return None


def _hashes_fault(hashes: Json) -> Fault | None:
    assert isinstance(hashes, dict)
    for name, value in hashes.items():
        if not is_sha256(value):
            return f"hash {name}: {shown(value)}", "64 hexadecimal digits in lower case"
    return None
