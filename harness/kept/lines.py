"""History and world record as tables: the kinds of line, the fields of each, and what they mean.

Both books are JSON lines. Every line has `n` (place in its book, from 0, without holes), `t` (virtual milliseconds),
`k` (place in the one order that history and world record share, rising in each), `j` (how many events of the journal
were before it) and `e` (its kind). The tables are checked by `check`, and docs/laws.md is generated from them. A world
may add fields of its own to a line (`landed`); a kind that no table has is refused, because no law would judge it.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from harness.kept.problem import KeptProblem
from harness.tape.schema import is_instant, shown, type_of

Line: TypeAlias = Mapping[str, Any]
Table: TypeAlias = Mapping[str, Mapping[str, tuple[str, bool, str]]]

OUTCOMES = ("done", "refused", "unknown")

HISTORY: Table = {
    "told": {
        "event": ("str", True, "what the stack was told: user_input, task_end, grant, revoke, session_switch, …"),
        "data": ("any", False, "grant and revoke: `{grant: NAME}`, `*` for all; a grant may have `lasts_ms`"),
    },
    "unheeded": {
        "event": ("str", True, "the event that was told last, which the stack refused: nothing came of it"),
        "code": ("str or null", True, "code of its error"),
    },
    "asked": {
        "call": ("count", True, "number of the call; call N is the Nth step of the sheet that calls, from 0"),
        "tool": ("str", True, "name of the tool"),
        "arguments": ("object", True, "its arguments"),
        "means": ("means", True, "what the caller means to change: `{verb, ref, value, looks}`; null: nothing"),
        "deadline_ms": ("instant or null", True, "how long the call may take while no question is open"),
        "stack": ("str", False, "name of the stack that was called, where there are several"),
    },
    "questioned": {
        "call": ("count", True, "the call in which the stack asked back"),
        "question": ("object", True, "the question as the caller got it"),
    },
    "replied": {
        "call": ("count", True, "the call"),
        "answer": ("object or null", True, "`{action: accept, decline or cancel, …}`; null: nobody could be asked"),
    },
    "answered": {
        "call": ("count", True, "the call"),
        "outcome": ("outcome", True, "done, refused or unknown"),
        "code": ("str or null", True, "code of the error, if any"),
        "sha256": ("sha256", True, "hash of the whole content"),
        "bytes": ("count", True, "size of the whole content"),
        "content": ("list", False, "blocks; whole where the sheet plants canaries, else in short"),
        "structured": ("any", False, "structured content, where it is kept"),
        "is_error": ("bool", False, "whether the answer is marked as a failure"),
        "evidence": ("object", False, "what the answer says about how it came about"),
    },
    "cancelled": {"call": ("count", True, "the call that the caller gave up")},
    "raised": {
        "call": ("count", True, "a call in which the stack raised, in place of an answer"),
        "error": ("str", True, "class and text of what it raised"),
    },
    "launched": {
        "program": ("str", True, "program that the stack started"),
        "env": ("object", True, "the whole environment that it gave"),
        "cwd": ("str", True, "working folder"),
        "folders": ("list", True, "`{path, names}` of folders of the stack's state that are named in the two"),
    },
    "failed": {
        "what": ("str", True, "method of the host that failed, as the sheet's `host` has it"),
        "program": ("str", True, "the program of a path or a start; empty for all else"),
    },
    "listed": {
        "tools": ("list or null", True, "the tools as the stack listed them; null: it could not"),
        "error": ("str", False, "why it could not"),
    },
    "reported": {"status": ("object", True, "what the stack's status said")},
    "opened": {"stack": ("str", True, "name of a further stack, with a state folder of its own")},
    "closed": {"stack": ("str", True, "name of a further stack")},
    "wrote": {
        "place": ("str", True, "log, audit, stderr, error: where the stack wrote beside its answers"),
        "text": ("str", True, "what it wrote"),
        "file": ("str", False, "the file of its state, where it is one"),
        "mode": ("str", False, "its permissions in octal, where it is a real one"),
    },
    "left": {
        "processes": ("list[str] or null", True, "programs that still run; null: nobody looked"),
        "files": ("list[str] or null", True, "files that are still there"),
        "sockets": ("list[str] or null", True, "sockets that are still open"),
        "locks": ("list[str] or null", False, "locks that are still held"),
    },
}
"""Kind -> field -> (type, required, meaning)."""

WORLD: Table = {
    "shown": {
        "p": ("count", True, "process of the program that showed it"),
        "ref": ("str", True, "an identifier that the client was given"),
        "what": ("object", True, "what it stands for: app, window, tab, frame, document, node"),
    },
    "effect": {
        "p": ("count", True, "process of the program that did it"),
        "verb": ("str", True, "what was done"),
        "target": ("object", True, "what it was done to, in the keys of `shown.what`"),
        "value": ("any", False, "with what"),
        "needs": ("str", False, "name of the grant without which it may not be done"),
        "grant": ("str or null", False, "the grant that the world knows to have been valid; null: none was"),
    },
    "refused": {
        "p": ("count", True, "process of the program that refused it"),
        "verb": ("str", True, "what was not done"),
        "why": ("str", True, "reason"),
    },
    "unsaid": {
        "p": ("count", True, "process of the program that did not say how something went"),
        "why": ("str", True, "what it said, or did, in place of that"),
        "verb": ("str", False, "of what alone; of calls that mean this, and of those that mean nothing of their own"),
    },
    "feigned": {
        "p": ("count", True, "process of the program that says it was done"),
        "verb": ("str", True, "what was not done"),
        "target": ("object", True, "what it was not done to, in the keys of `shown.what`"),
        "value": ("any", False, "with what"),
        "why": ("str", True, "reason, of which it says nothing"),
    },
    "changed": {
        "what": ("any", True, "what is different now"),
        "by": ("str", True, "page, user, `fault:ID`, `effect:N`, `answer:P`"),
    },
    "fault": {
        "id": ("str", True, "id of the fault in the plan"),
        "fault": ("str", True, "its name in the catalogue"),
        "place": ("object", True, "where it struck"),
    },
    "held": {
        "p": ("count", True, "process that holds it"),
        "what": ("str", True, "window, lease, claim, lock, socket, child, …"),
        "id": ("str", True, "which one"),
    },
    "freed": {
        "p": ("count", True, "process that held it"),
        "what": ("str", True, "as in `held`"),
        "id": ("str", True, "which one"),
    },
    "violation": {"p": ("count", True, "process of the program that saw the client break its protocol")},
    "apple_event": {
        "p": ("count", True, "process that sent the Apple Event"),
        "event": ("str", True, "get, count, set, make, close, doJavaScript, …"),
        "request": ("count", True, "how many lines of input the process had been given by then"),
        "late": ("bool", False, "it happened after its sender had been told of an error"),
    },
}
"""Kind -> field -> (type, required, meaning)."""

BOOKS: Mapping[str, Table] = {"history": HISTORY, "world": WORLD}
ADVICE = "make the run again; docs/laws.md says what a line has"

_Check: TypeAlias = Callable[[Any], bool]


def _is_means(value: Any) -> bool:
    return value is None or (
        type(value) is dict
        and type(value.get("verb")) is str
        and type(value.get("ref")) in (str, type(None))
        and type(value.get("looks")) in (bool, type(None))
        and value.keys() <= {"verb", "ref", "value", "looks"}
    )


_OWN: dict[str, tuple[_Check, str]] = {
    "any": (lambda value: True, "any value"),
    "outcome": (lambda value: value in OUTCOMES, f"one of {', '.join(OUTCOMES)}"),
    "means": (_is_means, "`{verb, ref, value, looks}`, or null"),
}


def _compiled(fields: Mapping[str, tuple[str, bool, str]]) -> list[tuple[str, _Check, str, bool]]:
    rows = []
    for field, (name, required, _) in fields.items():
        check, meaning = _OWN.get(name) or type_of(name)
        rows.append((field, check, meaning, required))
    return rows


_ROWS = {book: {kind: _compiled(fields) for kind, fields in table.items()} for book, table in BOOKS.items()}


def check(book: str, lines: Sequence[Line], file: str | None = None) -> None:
    """Raises KeptProblem for the first line that the table of `book` (history or world) does not allow, with its
    number in the file, from 1."""
    table = _ROWS[book]
    last, before = -1, 0
    for n, line in enumerate(lines):
        kind = line.get("e")
        rows = table.get(kind) if type(kind) is str else None
        if rows is None:
            raise _problem(book, f"a line of kind {shown(kind)}", f"one of {', '.join(table)}", file, n)
        for field, fits, meaning, required in rows:
            if field in line:
                if not fits(line[field]):
                    raise _problem(book, f"{field} {shown(line[field])} in {kind!r}", meaning, file, n)
            elif required:
                raise _problem(book, f"{kind!r} without {field}", f"{field}: {meaning}", file, n)
        k, t, j = line.get("k"), line.get("t"), line.get("j")
        if type(k) is not int or k <= last:
            raise _problem(book, f"k {shown(k)} after {last}", "a whole number that rises from line to line", file, n)
        if type(j) is not int or j < before:
            raise _problem(book, f"j {shown(j)} after {before}", "how many events of the journal came before", file, n)
        if not is_instant(t):
            raise _problem(book, f"t {shown(t)}", "virtual milliseconds from 0", file, n)
        if line.get("n") != n:
            raise _problem(book, f"n {shown(line.get('n'))}", f"{n}, because n counts lines without holes", file, n)
        last, before = k, j
    if book == "history":
        for n, seen, expected in _out_of_turn(lines):
            raise _problem(book, seen, expected, file, n)


def _out_of_turn(history: Sequence[Line]) -> Iterator[tuple[int, str, str]]:
    """Lines of a call that was not asked, was asked twice, or has its answer."""
    open_calls: dict[int, bool] = {}
    for n, line in enumerate(history):
        if "call" not in line or line["e"] == "told":
            continue
        call, kind = line["call"], line["e"]
        if kind == "asked":
            if call in open_calls:
                yield n, f"call {call} asked again", "each call asked once"
            open_calls[call] = True
        elif call not in open_calls:
            yield n, f"{kind!r} of call {call}, which was not asked", "a line 'asked' before it"
        elif kind == "answered":
            if not open_calls[call]:
                yield n, f"a second answer to call {call}", "one answer"
            open_calls[call] = False


def _problem(book: str, seen: str, expected: str, file: str | None, n: int) -> KeptProblem:
    where = "" if file else f" in line {n + 1} of the {book}"
    return KeptProblem(seen + where, expected, ADVICE, file=file, line=n + 1 if file else None)
