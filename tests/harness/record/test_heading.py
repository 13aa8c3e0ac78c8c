"""The header of a tape of the tap: nothing is claimed that nobody said."""
from __future__ import annotations

from time import monotonic_ns

import pytest

from harness.record import heading as module
from harness.record.heading import ENVIRONMENT, clock, heading, names_of_environment
from harness.record.options import parse
from harness.tape.header import header_fault
from harness.version import VERSION


@pytest.mark.claim("HAR-TAPE-01")
def test_it_says_what_was_said_to_the_recorder() -> None:
    products = ["--product", "codex=0.171.0", "--product", "helper=2"]
    named = ["--strength", "engine", "--profile", "codex", "--dialect", "mcp"]
    options = parse([*products, *named, "--", "/opt/codex", "app-server"])
    found = heading(options, 77, [{"what": "x", "how": "y"}]).as_json()
    assert header_fault(found) is None
    origin = found["origin"]
    assert isinstance(origin, dict)
    assert origin["products"] == [{"name": "codex", "version": "0.171.0"}, {"name": "helper", "version": "2"}]
    assert (origin["strength"], origin["recorder"]) == ("engine", f"trailcam {VERSION}")
    assert (found["bytes"], found["profile"]) == ("verbatim", "codex")
    assert found["wires"] == {"codex": {"stdio": "mcp"}}
    assert found["redaction"] == [{"what": "x", "how": "y"}]


def test_by_default_it_claims_the_least() -> None:
    found = heading(parse(["--", "cat"]), 0, []).as_json()
    assert header_fault(found) is None
    origin = found["origin"]
    assert isinstance(origin, dict)
    assert origin["strength"] == "model"
    assert origin["products"] == [{"name": "cat", "version": "unknown"}]


def test_segments_of_one_boot_can_be_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    began_ns = monotonic_ns()
    one, other = clock(began_ns), clock(began_ns + 5)
    assert one["boot"] == other["boot"]
    assert (one["kind"], one["began_ns"]) == ("monotonic", began_ns)
    monkeypatch.setattr(module, "BOOT", "/nowhere")
    assert clock(5) == {"kind": "monotonic", "began_ns": 5}


def test_of_the_environment_it_names_what_is_on_the_list() -> None:
    names = names_of_environment()
    assert "PATH" in names
    assert set(names) <= set(ENVIRONMENT)
