"""Redaction that leaves a secret somewhere is seen by the check that the real one passes; so are a tape's pages."""
from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from harness.commands.tape import add
from harness.tape import find
from harness.tape.read import load
from harness.tape.redact import Redactor
from reports.sequence import diagram, svg
from tests.harness.tape import test_canary
from tests.harness.tape.canaries import CANARY, NUMBER, leaks
from tests.teeth import Break, check_tells_apart, replaced

REDACTED, MANIFEST, CLOSING, EVENT = Redactor._redacted, Redactor.manifest, Redactor.closing, Redactor.event


def nothing_is_on_the_tape(folder: Path) -> None:
    for split in (1, 7, 10_000):
        test_canary.test_a_planted_canary_is_never_found_on_the_tape(split)


def trailcam(*words: str) -> str:
    """What `trailcam tape …` prints."""
    from argparse import ArgumentParser

    parser = ArgumentParser()
    add(parser.add_subparsers())
    said = io.StringIO()
    with redirect_stdout(said):
        arguments = parser.parse_args(["tape", *words])
        arguments.run(arguments)
    return said.getvalue()


def nothing_is_in_what_is_made_of_it(folder: Path) -> None:
    """What is printed of a tape, and the picture of its frames in a report."""
    path = folder / "t.jsonl"
    path.write_text(test_canary.record(64)[0])
    _, events = load(str(path))
    pages = [trailcam("show", str(path)), trailcam("lint", str(path)), trailcam("show", "--json", str(path))]
    pages.append(svg(diagram([], [], events), "frames"))
    assert all(len(page) > 100 for page in pages)
    for page in pages:
        for line in page.split("\n"):
            assert not leaks(line, CANARY)
            assert not leaks(line, NUMBER)


def forgets(self: Redactor, data: bytes, stream: Any, **how: Any) -> bytes | None:
    """Each read by itself."""
    return REDACTED(self, data, type(stream)(), **how)


def tells(self: Redactor) -> list[dict[str, Any]]:
    return [*MANIFEST(self), {"what": f"the value {CANARY}", "how": "replaced"}]


def without(field: str) -> Break:
    """Events with one field as it was."""
    return replaced(Redactor, "event", lambda self, event, **how: {
        **EVENT(self, event, **how), **({field: event[field]} if field in event else {})
    })  # fmt: skip


ON_THE_TAPE: dict[str, Break] = {
    "frames as they are": replaced(Redactor, "frame", lambda self, data, **how: data),
    "events as they are": replaced(Redactor, "event", lambda self, event, **how: event),
    "arguments as they are": without("argv"),
    "notes as they are": without("text"),
    "each read by itself": replaced(Redactor, "_redacted", forgets),
    "plain text alone": replaced(find, "forms_of", lambda literal: [literal]),
    "no JSON escapes": replaced(find.Finder, "_deeper", lambda self, data, start, stop, text: []),
    "a header that names it": replaced(Redactor, "manifest", tells),
    "a last note that names it": replaced(Redactor, "closing", lambda self: f"{CLOSING(self)} {NUMBER}"),
}


@pytest.mark.claim("HAR-REC-03", tooth="redaction that leaves frames, events, pieces or encodings as they are")
@pytest.mark.parametrize("broken", ON_THE_TAPE.values(), ids=ON_THE_TAPE)
def test_redaction_that_leaves_a_secret_is_seen(broken: Break, tmp_path: Path) -> None:
    check_tells_apart(nothing_is_on_the_tape, broken, tmp_path)


@pytest.mark.claim("HAR-REC-03", tooth="a tape with its secrets")
@pytest.mark.parametrize("what", ["frames as they are", "notes as they are"])
def test_a_secret_on_a_tape_is_seen_in_what_is_made_of_it(what: str, tmp_path: Path) -> None:
    check_tells_apart(nothing_is_in_what_is_made_of_it, ON_THE_TAPE[what], tmp_path)
