"""The guards of one JavaScript file, found in its syntax tree, each with the bytes that take it out.

The kinds are those of Python (harness/campaign/guards.py), as far as JavaScript has them:

- `throw`: a throw statement, gone.
- `refusal`: in a branch or handler, a return of nothing or of a falsy constant, of a constant in capitals, of an object
  that says so (`REFUSED`), of what a function in `REASONS` gives as a reason, and every return of a value in a
  handler; a `continue` that leaves a candidate out; gone. Of a choice between such a value and another one the other
  is always taken.
- `bound`: a comparison of sizes; taken as not reached, in the condition of a `while` as always met. One that alone
  decides over a throw or refusal is that guard already, and the count of a `for` is none.
- `deadline`: a call of `setTimeout`; never made.
- `cleanup`: a call, as a statement, that ends, closes or takes back; gone.
- `row`: one row of a table (harness/campaign/scripts/tables.py); gone.

A guard goes by the span of its bytes, so everything else stays as it is. The names are as in Python:
`guard:FILE#FUNCTION:KIND:N`. Functions without a name of their own are left out of FUNCTION.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.campaign.guards import Guard
from harness.campaign.scripts.tables import REASONS, tables_of
from harness.problem import Problem

if TYPE_CHECKING:
    from tree_sitter import Node

KINDS = ("throw", "refusal", "bound", "deadline", "cleanup", "row")
ORDER = frozenset({"<", "<=", ">", ">="})
FALSY = frozenset({"null", "undefined", "false", '""', "0", "[]"})
REFUSED = frozenset({"reason", "part", "lost", "error"})
"""Members of an answer that is a refusal; so are `ok: false`, `closed: false`, and a status that is none of `FINE`."""
FINE = frozenset({'"ok"', '"finished"'})
ENDS = frozenset({
    "abort", "cancel", "clear", "clearTimeout", "close", "delete", "detach", "disconnect", "drop", "end", "forget",
    "removeEventListener", "removeListener", "stop",
})  # fmt: skip
"""Calls that clean up, where they stand as a statement."""
FUNCTIONS = frozenset({
    "arrow_function", "function_declaration", "function_expression", "generator_function_declaration",
    "method_definition",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Site:
    """A guard in a text. span: its bytes; instead: what stands there without it; counts: whether it is a statement,
    so that a statement before it sees that a run comes by; else an expression."""

    guard: Guard
    span: tuple[int, int]
    instead: str
    statement: bool


def parse(text: str) -> Node:
    """The root of a text's syntax tree. Raises Problem where the parser is missing, or the text is no JavaScript."""
    try:
        import tree_sitter_javascript
        from tree_sitter import Language, Parser
    except ImportError as error:
        raise Problem(f"no module {error.name}", "the parser that finds the guards of JavaScript",
                      "install `trailcam[test]`") from None
    root = Parser(Language(tree_sitter_javascript.language())).parse(text.encode()).root_node
    if root.has_error:
        raise Problem("a text with a syntax error", "JavaScript", "correct it, or renew the parser")
    return root


def find(text: str, file: str) -> list[Site]:
    """The guards of a file in the order of its text."""
    finder = _Finder(text, file)
    finder.visit(parse(text), _Where())
    return sorted(finder.sites, key=lambda site: site.span)


@dataclass(frozen=True, slots=True)
class _Where:
    """names: of the functions around; branch, handler: whether one is around in the same function; loop: in the
    condition of a `while`; count: in the head of a `for`."""

    names: tuple[str, ...] = ()
    branch: bool = False
    handler: bool = False
    loop: bool = False
    count: bool = False


class _Finder:
    def __init__(self, text: str, file: str) -> None:
        self.sites: list[Site] = []
        self._data = text.encode()
        self._file = file
        self._counts: dict[tuple[str, str], int] = {}
        self._decided: set[int] = set()

    def _text(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode()

    def _add(self, kind: str, node: Node, where: _Where, instead: str, *, statement: bool = False, table: str = "",
             span: tuple[int, int] | None = None) -> None:  # fmt: skip
        function = table or ".".join(where.names) or "module"
        self._counts[function, kind] = count = self._counts.get((function, kind), 0) + 1
        lines = (node.start_point[0] + 1, node.end_point[0] + 1)
        text = " ".join(self._text(node).split())
        shown = f"{table}: {text}" if table else text
        guard = Guard(f"guard:{self._file}#{function}:{kind}:{count}", kind, self._file, lines, shown[:160], table)
        self.sites.append(Site(guard, span or (node.start_byte, node.end_byte), instead, statement))

    # Where

    def visit(self, node: Node, where: _Where) -> None:
        """Look at a node and all below it."""
        look = getattr(self, f"_{node.type}", None)
        if look is not None:
            look(node, where)
        for child in node.children:
            self.visit(child, self._inside(node, child, where))

    def _inside(self, node: Node, child: Node, where: _Where) -> _Where:
        """Where a child stands."""
        if node.type in FUNCTIONS:
            name = self._name_of(node)
            return _Where((*where.names, name) if name else where.names)
        if node.type == "class_declaration":
            name_node = node.child_by_field_name("name")
            return _Where((*where.names, self._text(name_node)) if name_node else where.names)
        if node.type == "if_statement" and child != node.child_by_field_name("condition"):
            return _with(where, branch=True)
        if node.type in ("switch_case", "switch_default"):
            return _with(where, branch=True)
        if node.type == "catch_clause":
            return _with(where, handler=True)
        if node.type in ("while_statement", "do_statement") and child == node.child_by_field_name("condition"):
            return _with(where, loop=True)
        if node.type == "for_statement" and child != node.child_by_field_name("body"):
            return _with(where, count=True)
        return where

    def _name_of(self, node: Node) -> str:
        """A function's own name, or that of the constant or member that it is the value of."""
        own = node.child_by_field_name("name")
        if own is None and node.parent is not None:
            own = {"variable_declarator": node.parent.child_by_field_name("name"),
                   "pair": node.parent.child_by_field_name("key")}.get(node.parent.type)  # fmt: skip
        return self._text(own).strip("\"'#") if own is not None else ""

    # Kinds

    def _if_statement(self, node: Node, where: _Where) -> None:
        only = _only(node.child_by_field_name("consequence"))
        test = node.child_by_field_name("condition")
        inside = _with(where, branch=True)
        refuses = only is not None and (only.type == "throw_statement" or self._refuses(only, inside))
        if refuses and test is not None and node.child_by_field_name("alternative") is None:
            self._decided.update(each.id for each in test.named_children)

    def _throw_statement(self, node: Node, where: _Where) -> None:
        self._add("throw", node, where, ";", statement=True)

    def _return_statement(self, node: Node, where: _Where) -> None:
        if self._refuses(node, where):
            self._add("refusal", node, where, ";", statement=True)

    def _continue_statement(self, node: Node, where: _Where) -> None:
        self._return_statement(node, where)

    def _refuses(self, node: Node, where: _Where) -> bool:
        """Whether a return or a continue refuses, where it stands."""
        if node.type == "continue_statement":
            return where.branch
        if node.type != "return_statement" or not (where.branch or where.handler):
            return False
        value = node.named_children[0] if node.named_children else None
        return value is None or where.handler or self._refused(value, where)

    def _refused(self, value: Node, where: _Where) -> bool:
        """Whether a value says no."""
        text = self._text(value)
        if text in FALSY or (value.type == "identifier" and text.isupper() and len(text) > 1):
            return True
        if value.type in ("string", "true"):
            return where.names[-1:] != () and where.names[-1] in REASONS.get(self._file, ())
        if value.type == "call_expression":
            arguments = value.child_by_field_name("arguments")
            only = arguments.named_children if arguments is not None else []
            return len(only) == 1 and only[0].type == "object" and self._refused(only[0], where)
        return value.type == "object" and any(self._says_no(each) for each in value.named_children)

    def _says_no(self, member: Node) -> bool:
        if member.type == "shorthand_property_identifier":
            return self._text(member) in REFUSED
        if member.type != "pair":
            return False
        key, value = (self._text(each) for each in member.named_children[:2])
        return key in REFUSED or (key in ("ok", "closed") and value == "false") or (
            key == "status" and value.startswith('"') and value not in FINE)  # fmt: skip

    def _ternary_expression(self, node: Node, where: _Where) -> None:
        """A choice that is returned, and of which one side refuses: the other one is what is left. A null beside a
        reason is no refusal."""
        above = node.parent
        if above is None or (above.type != "return_statement" and above.child_by_field_name("body") != node):
            return
        yes, no = (node.child_by_field_name(name) for name in ("consequence", "alternative"))
        assert yes is not None and no is not None
        refused = [self._refused(each, where) for each in (yes, no)]
        if all(refused):
            refused = [self._text(each) not in FALSY for each in (yes, no)]
        if sum(refused) == 1:
            self._decided.update(each.id for each in [node.child_by_field_name("condition")] if each is not None)
            self._add("refusal", node, where, f"({self._text(no if refused[0] else yes)})")

    def _binary_expression(self, node: Node, where: _Where) -> None:
        operator = node.child_by_field_name("operator")
        if operator is None or operator.type not in ORDER or node.id in self._decided or where.count:
            return
        self._add("bound", node, where, "true" if where.loop else "false")

    def _expression_statement(self, node: Node, where: _Where) -> None:
        call = node.named_children[0]
        if call.type == "await_expression":
            call = call.named_children[0]
        if call.type == "call_expression" and where.names and self._called(call) in ENDS:
            self._add("cleanup", node, where, ";", statement=True)

    def _call_expression(self, node: Node, where: _Where) -> None:
        if where.names and self._called(node) == "setTimeout":
            self._add("deadline", node, where, "undefined")

    def _called(self, call: Node) -> str:
        """The last name of what is called."""
        function = call.child_by_field_name("function")
        if function is not None and function.type == "member_expression":
            function = function.child_by_field_name("property")
        return self._text(function) if function is not None else ""

    def _variable_declarator(self, node: Node, where: _Where) -> None:
        name, value = (node.child_by_field_name(field) for field in ("name", "value"))
        if name is None or value is None or self._text(name) not in tables_of(self._file):
            return
        for row in rows(value):
            if row.type == "string":  # words in one text
                self._words(row, where, self._text(name))
            else:
                self._add("row", row, where, "", table=self._text(name), span=_with_comma(row))

    def _words(self, node: Node, where: _Where, table: str) -> None:
        """Each word of a text that is split at spaces, or the one row that a text is."""
        at = node.start_byte + 1
        for word in self._text(node)[1:-1].split(" "):
            end = at + len(word.encode())
            if word:
                self._counts[table, "row"] = count = self._counts.get((table, "row"), 0) + 1
                line = node.start_point[0] + 1
                id = f"guard:{self._file}#{table}:row:{count}"
                self.sites.append(Site(Guard(id, "row", self._file, (line, line), f"{table}: {word}", table),
                                       (at, end), "", False))  # fmt: skip
            at = end + 1


def rows(value: Node) -> Iterator[Node]:
    """The rows of a display: members of an object or list, of those in a new Set, and the texts that are split."""
    if value.type == "object":
        for each in value.named_children:
            inner = each.child_by_field_name("value") if each.type == "pair" else None
            if inner is not None and inner.type == "array":
                yield from rows(inner)
            else:
                yield each
    elif value.type == "array":
        for each in value.named_children:
            if each.type != "comment":
                yield each
    elif value.type == "new_expression":
        arguments = value.child_by_field_name("arguments")
        for each in arguments.named_children if arguments is not None else ():
            yield from rows(each)
    elif value.type == "call_expression" and (text := _split(value)) is not None:
        yield from _texts(text)


def _split(call: Node) -> Node | None:
    """The text in `TEXT.split(" ")`."""
    function = call.child_by_field_name("function")
    if function is None or function.type != "member_expression":
        return None
    name, text = function.child_by_field_name("property"), function.child_by_field_name("object")
    return text if name is not None and name.text == b"split" else None


def _texts(node: Node) -> Iterator[Node]:
    if node.type == "string":
        yield node
    for each in node.named_children:
        yield from _texts(each)


def displays(text: str) -> Iterator[str]:
    """The constants of a file, wherever they stand, that are displays of at least two rows."""
    waiting = [parse(text)]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if node.type != "variable_declarator":
            continue
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        shown = name.text.decode() if name is not None and name.text else ""
        if shown.isupper() and value is not None:
            found = list(rows(value))
            if len(found) > 1 or any(each.type == "string" and b" " in (each.text or b"") for each in found):
                yield shown


def _with_comma(row: Node) -> tuple[int, int]:
    """The bytes of a row and of one comma beside it."""
    after, before = row.next_sibling, row.prev_sibling
    if after is not None and after.type == ",":
        return row.start_byte, after.end_byte
    if before is not None and before.type == ",":
        return before.start_byte, row.end_byte
    return row.start_byte, row.end_byte


def _only(node: Node | None) -> Node | None:
    """The one statement of a branch."""
    if node is None or node.type != "statement_block":
        return node
    inner = [each for each in node.named_children if each.type != "comment"]
    return inner[0] if len(inner) == 1 else None


def _with(where: _Where, **fields: Any) -> _Where:
    return _Where(**{**{name: getattr(where, name) for name in where.__slots__}, **fields})


def without(text: str, file: str, ids: Collection[str]) -> str:
    """The text without the guards named. Raises Problem for a name that it does not have."""
    sites = [site for site in find(text, file) if site.guard.id in ids]
    if len(sites) != len(set(ids)):
        absent = sorted(set(ids) - {site.guard.id for site in sites})
        raise Problem(f"guard {', '.join(absent)}", f"a guard of {file}", "see `trailcam guards --list`")
    return spliced(text, [(site.span, site.instead) for site in sites])


def spliced(text: str, changes: Sequence[tuple[tuple[int, int], str]]) -> str:
    """The text with other bytes in these spans; of two spans of which one is in the other the outer one counts."""
    data = text.encode()
    done = len(data) + 1
    outer: list[tuple[tuple[int, int], str]] = []
    for span, instead in sorted(changes, key=lambda change: (change[0][0], -change[0][1])):
        if not outer or span[0] >= outer[-1][0][1]:
            outer.append((span, instead))
    for (start, end), instead in reversed(outer):
        assert end <= done
        data = data[:start] + instead.encode() + data[end:]
        done = start
    return data.decode()


def counted(text: str, file: str, says: Callable[[str], str]) -> str:
    """The text with an expression at each guard but rows, that is evaluated when a run comes by it. says: id of a guard
    -> the expression."""
    marks: list[tuple[int, int, int, str]] = []
    for site in find(text, file):
        if site.guard.kind == "row":
            continue
        start, end = site.span
        before, after = ("{{{};", "}}") if site.statement else ("({}, ", ")")
        marks.append((start, 1, -end, before.format(says(site.guard.id))))
        marks.append((end, 0, -start, after.format()))
    data, done = text.encode(), b""
    at = 0
    for place, _, _, mark in sorted(marks):  # at one place ends come first, and of beginnings the outer one
        done += data[at:place] + mark.encode()
        at = place
    return (done + data[at:]).decode()
