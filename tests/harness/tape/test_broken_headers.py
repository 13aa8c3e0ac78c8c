"""What a tape says of itself: readers, recorders and documents that are lax about it are seen."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.record import heading
from harness.tape import describe, import_frames, migrate
from harness.tape import header as header_module
from harness.tape.event import EVENTS
from harness.tape.header import HEADER, ORIGIN
from tests.harness.record import test_heading
from tests.harness.tape import test_describe, test_header, test_import_frames, test_migrate
from tests.teeth import Break, check_tells_apart, replaced

Check = Callable[[Path], object]
HEADING = heading.heading
REQUIRED = [*test_header.FULL.as_json()][2:]


def says_where_it_came_from(folder: Path) -> None:
    """No field of a header may be missing, strength, products, platform, recorder and date among them."""
    assert {"origin", "date", "wires", "redaction", "profile"} <= set(REQUIRED)
    assert set(ORIGIN) >= {"strength", "products", "platform", "recorder"}
    for field in REQUIRED:
        test_header.test_every_field_is_required(field)
    for path, value, seen in test_header.CHANGES:
        test_header.test_a_wrong_field_is_named(path, value, seen)


def as_recorded(folder: Path) -> None:
    test_heading.test_it_says_what_was_said_to_the_recorder()
    test_heading.test_by_default_it_claims_the_least()


def a_committed_tape_says_what_it_is(folder: Path) -> None:
    test_import_frames.test_a_committed_tape_reads_strictly_and_says_what_it_is(
        test_import_frames.TAPES / "0.171.0" / "s01_happy.jsonl"
    )


def newer_is_refused(folder: Path) -> None:
    test_header.test_a_newer_version_is_refused_with_the_way_out()


def older_is_read(folder: Path) -> None:
    test_migrate.test_a_tape_of_version_0_is_read_as_one_of_this_version()
    test_migrate.test_there_is_a_step_from_every_older_version()


def log_without_a_header_is_refused(folder: Path) -> None:
    test_header.test_a_frame_log_is_refused_with_the_way_to_migrate()


def documented(folder: Path) -> None:
    test_describe.test_the_document_is_in_sync()


def with_row(table: Any, name: object, row: object) -> Break:
    return lambda patch: patch.setitem(table, name, row)


def lax(fields: object, file: str) -> object:
    """Any version is this one."""
    assert isinstance(fields, dict)
    return header_module.Header(fields.get("origin", {}))


def claiming(options: object, began_ns: int, redaction: object) -> object:
    """Whatever was recorded is said to be live."""
    made = HEADING(options, began_ns, redaction)  # type: ignore[arg-type]
    made.origin = {**made.origin, "strength": "live"}
    return made


NOTHING_SAID: dict[str, Any] = {"strength": "model", "products": [{"name": "codex", "version": "unknown"}]}
LAX: dict[str, tuple[Check, Break]] = {
    "fields may be missing": (says_where_it_came_from, replaced(test_header, "header_of", lax)),
    "any strength will do": (says_where_it_came_from, replaced(header_module, "_choice_fault", lambda *_: None)),
    "products need not say a version": (
        says_where_it_came_from, replaced(header_module, "_entries_fault", lambda *_: None)),
    "a recorder that claims more": (as_recorded, replaced(test_heading, "heading", claiming)),
    "a tape that says nothing": (a_committed_tape_says_what_it_is, replaced(
        test_import_frames, "load", lambda path: (header_module.Header(NOTHING_SAID), []))),
    "a newer version is read": (newer_is_refused, replaced(test_header, "header_of", lax)),
    "a log is a tape": (log_without_a_header_is_refused, replaced(test_header, "header_of", lax)),
    "events of version 0 left out": (older_is_read, with_row(migrate.STEPS, 0, lambda header, lines, name: (
        import_frames.from_frames(header, lines, name)[0], iter(())))),
    "an event that no document has": (documented, with_row(EVENTS, "surprise", {})),
    "a field that no document has": (documented, with_row(HEADER, "surprise", next(iter(HEADER.values())))),
    "an older document": (documented, replaced(describe, "INTRODUCTION", "# The tape format, version 0\n")),
}


@pytest.mark.claim("HAR-TAPE-01", tooth="headers that do not say, versions that are not refused, fields not documented")
@pytest.mark.parametrize(("check", "broken"), LAX.values(), ids=LAX)
def test_a_tape_that_may_say_less_is_seen(check: Check, broken: Break, tmp_path: Path) -> None:
    check_tells_apart(check, broken, tmp_path)
