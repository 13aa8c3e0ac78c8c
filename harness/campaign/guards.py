"""The guards of one source file, found in its syntax tree, each with a name and the tree's change that takes it out.

A guard is what stands between a wrong input and a wrong deed:

- `raise`: a raise statement, or a call of a function of the same file that only raises (`-> NoReturn`), gone.
- `refusal`: in a branch or handler, a return of nothing, of a constant in capitals or of a refused Reply, and every
  return of a value in a handler; gone.
- `bound`: a comparison of sizes; taken as not reached, in the condition of a loop as always met. One that alone decides
  over a raise or refusal is that guard already.
- `lock`: a lock that is taken, and not taken any more.
- `deadline`: a scope that ends at a time, and has no end any more.
- `shield`: a scope that can't be cancelled, and can be.
- `cleanup`: a call, as a statement, that ends, closes, kills or gives back; gone.
- `row`: one row of a table (harness/campaign/tables.py); gone.

A name is `guard:FILE#FUNCTION:KIND:N`, the Nth of its kind in its function (or table), in the order of the text. So it
stays the same while its function does.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

KINDS = ("raise", "refusal", "bound", "lock", "deadline", "shield", "cleanup", "row")
ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
TAKES = frozenset({"acquire", "take_turn", "take_lease"})
"""Calls that take a lock."""
TIMED = {"move_on_after": "CancelScope", "fail_after": "CancelScope", "move_on_at": "CancelScope",
         "fail_at": "CancelScope"}  # fmt: skip
"""Calls that open a scope with an end in time -> the same scope without one."""
ENDS = frozenset({
    "aclose", "cancel", "clear", "close", "discard", "end", "end_all", "kill", "release", "remove_folder", "signal",
    "taken_back", "terminate",
})  # fmt: skip
"""Calls that clean up, where they stand as a statement."""

Change: TypeAlias = "ast.AST | list[ast.stmt]"


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard. lines: where it stands, first and last; text: its source, shortened; table: of a row, its table."""

    id: str
    kind: str
    file: str
    lines: tuple[int, int]
    text: str
    table: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """A guard in a tree. node: what is replaced; change: its replacement."""

    guard: Guard
    node: ast.AST
    change: Callable[[], Change]


def find(tree: ast.Module, file: str, tables: Sequence[str] = ()) -> list[Site]:
    """The guards of a file in the order of its text. tables: constants of the file whose rows are guards."""
    finder = _Finder(file, tables, raisers(tree))
    finder.visit(tree)
    return finder.sites


def raisers(tree: ast.Module) -> frozenset[str]:
    """The functions of a module that only raise, as their annotation says."""
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return frozenset(node.name for node in functions if node.returns is not None and _is_name(node.returns, "NoReturn"))


def displays(tree: ast.Module) -> Iterator[str]:
    """The constants of a module that are displays of at least two rows."""
    for name, value in _constants(tree):
        if sum(1 for _ in _rows(value)) > 1:
            yield name


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and target.id.isupper() and isinstance(value, ast.expr):
            yield target.id, value


def _rows(value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr, int]]:
    """(display, row, its place in the display), of displays inside frozenset(), `|` and values of a dict too."""
    if isinstance(value, ast.Dict):
        for place, each in enumerate(value.values):
            yield value, each, place
            if isinstance(each, ast.Call | ast.BinOp | ast.Set):
                yield from _rows(each)  # the members of a set that one row has
    elif isinstance(value, ast.Tuple | ast.List | ast.Set):
        for place, each in enumerate(value.elts):
            yield value, each, place
    elif isinstance(value, ast.BinOp):
        yield from _rows(value.left)
        yield from _rows(value.right)
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "frozenset":
        for argument in value.args:
            yield from _rows(argument)


class _Finder(ast.NodeVisitor):
    def __init__(self, file: str, tables: Sequence[str], raisers: Collection[str]) -> None:
        self._raisers = raisers
        self.sites: list[Site] = []
        self._file = file
        self._tables = tables
        self._where: list[str] = []
        self._counts: dict[tuple[str, str], int] = {}
        self._branches = 0
        self._handlers = 0
        self._decided: set[int] = set()
        self._loops: set[int] = set()

    def _add(self, kind: str, node: ast.AST, change: Callable[[], Change], *, where: str = "", text: str = "",
             last: int = 0) -> None:  # fmt: skip
        function = where or ".".join(self._where) or "module"
        key = (function, kind)
        self._counts[key] = count = self._counts.get(key, 0) + 1
        assert isinstance(node, ast.stmt | ast.expr)
        shown = text or ast.unparse(node).partition("\n")[0]
        guard = Guard(
            f"guard:{self._file}#{function}:{kind}:{count}", kind, self._file,
            (node.lineno, last or node.end_lineno or node.lineno), shown[:160], where,
        )  # fmt: skip
        self.sites.append(Site(guard, node, change))

    # Where

    def visit_Module(self, node: ast.Module) -> None:
        constants = dict(_constants(node))
        for name in self._tables:
            if name in constants:
                self._table(name, constants[name])
        self.generic_visit(node)

    def _inside(self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outer = (self._branches, self._handlers)
        self._branches = self._handlers = 0
        self._where.append(node.name)
        for statement in node.body:  # decorators and defaults are of no call
            self.visit(statement)
        self._where.pop()
        self._branches, self._handlers = outer

    visit_ClassDef = visit_FunctionDef = visit_AsyncFunctionDef = _inside

    def visit_If(self, node: ast.If) -> None:
        only = node.body[0] if len(node.body) == 1 and not node.orelse else None
        if self._raises(only) or (isinstance(only, ast.Return) and is_refusal(only, handler=False)):
            self._decided.add(id(node.test))
        if _is_name(node.test, "TYPE_CHECKING"):
            return
        self._branches += 1
        self.generic_visit(node)
        self._branches -= 1

    def visit_While(self, node: ast.While) -> None:
        self._loops.update(id(inner) for inner in ast.walk(node.test))
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._handlers += 1
        self.generic_visit(node)
        self._handlers -= 1

    # Kinds

    def visit_Raise(self, node: ast.Raise) -> None:
        self._add("raise", node, ast.Pass)
        self.generic_visit(node)

    def _raises(self, node: ast.stmt | None) -> bool:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return any(_is_name(node.value.func, name) for name in self._raisers)
        return isinstance(node, ast.Raise)

    def visit_Return(self, node: ast.Return) -> None:
        if (self._branches or self._handlers) and is_refusal(node, handler=self._handlers > 0):
            self._add("refusal", node, ast.Pass)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        if self._where and id(node) not in self._decided and all(isinstance(each, ORDER) for each in node.ops):
            always = id(node) in self._loops
            self._add("bound", node, lambda: ast.Constant(always))
        self.generic_visit(node)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            if isinstance(item.context_expr, ast.Name | ast.Attribute):
                kind = "lock" if isinstance(node, ast.AsyncWith) else "deadline"
                header = f"{'async ' * (kind == 'lock')}with {ast.unparse(item.context_expr)}"
                self._add(kind, node, lambda: list(node.body), text=header, last=node.body[0].lineno - 1)
        self.generic_visit(node)

    visit_AsyncWith = visit_With

    def visit_Call(self, node: ast.Call) -> None:
        name = _last(node.func)
        if self._where and (name in TIMED or (name == "CancelScope" and _keyword(node, "deadline"))):
            self._add("deadline", node, lambda: _endless(node))
        if self._where and name in (*TIMED, "CancelScope") and _keyword(node, "shield"):
            self._add("shield", node, lambda: _without_keyword(node, "shield"))
        self.generic_visit(node)

    def visit_Await(self, node: ast.Await) -> None:
        if isinstance(node.value, ast.Call) and _last(node.value.func) in TAKES:
            self._add("lock", node, lambda: ast.Constant(None))
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if self._raises(node):
            self._add("raise", node, ast.Pass)
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        if self._where and isinstance(call, ast.Call) and _last(call.func) in ENDS:
            self._add("cleanup", node, ast.Pass)
        self.generic_visit(node)

    def _table(self, name: str, value: ast.expr) -> None:
        for display, row, place in _rows(value):
            text = ast.unparse(row)
            if isinstance(display, ast.Dict):
                key = display.keys[place]
                text = f"{'**' if key is None else ast.unparse(key) + ': '}{text}"
            self._add("row", row, lambda display=display, place=place: _Row(display, place), where=name,  # type: ignore[misc]
                      text=f"{name}: {text}")  # fmt: skip


class _Row(ast.AST):
    """Says which row of which display goes. Never in a tree: `removal` takes it for what it is."""

    def __init__(self, display: ast.expr, place: int) -> None:
        super().__init__()
        self.display = display
        self.place = place


Row = _Row


def is_refusal(node: ast.Return, *, handler: bool) -> bool:
    """Whether a return refuses, by its value."""
    value = node.value
    if value is None:
        return False
    if handler:
        return True
    if isinstance(value, ast.Constant):
        return not value.value
    if isinstance(value, ast.Name):
        return value.id.isupper()
    if isinstance(value, ast.Call) and _last(value.func) == "Reply":
        outcomes = [*value.args[:1], *(each.value for each in value.keywords if each.arg == "outcome")]
        return any(isinstance(each, ast.Constant) and each.value != "done" for each in outcomes)
    return False


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _keyword(node: ast.Call, name: str) -> bool:
    return any(each.arg == name for each in node.keywords)


def _without_keyword(node: ast.Call, name: str) -> ast.Call:
    return ast.Call(node.func, node.args, [each for each in node.keywords if each.arg != name])


def _endless(node: ast.Call) -> ast.Call:
    """The same scope without an end in time."""
    kept = [each for each in node.keywords if each.arg == "shield"]
    if _last(node.func) == "CancelScope":
        return _without_keyword(node, "deadline")
    if isinstance(node.func, ast.Attribute):
        return ast.Call(ast.Attribute(node.func.value, TIMED[node.func.attr], ast.Load()), [], kept)
    module = ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant("anyio")], [])
    return ast.Call(ast.Attribute(module, TIMED[_last(node.func)], ast.Load()), [], kept)
