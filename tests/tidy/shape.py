"""Sizes, names, mirrored tests, tests that can fail, and excepts that swallow."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from tests.tidy.tree import PACKAGES, Source

FUNCTION_LINES = 70
FILE_LINES = 400
EMPTY_WORDS = frozenset({"utils", "util", "helpers", "helper_functions", "common", "misc", "tools", "stuff", "base"})
"""Names that say nothing about what a module holds."""

NO_MIRROR: dict[str, str] = {}
"""Source file -> why it has no test file of its own name."""

CAN_FAIL = re.compile(r"(raises|assert|check|expect|fail|verify|warns|matches|run_state_machine|runpytest)")
"""A call whose name has one of these in it can end a test."""


def sizes(source: Source) -> list[str]:
    """Functions over 70 lines, files over 400."""
    findings = []
    lines = source.text.count("\n")
    if lines > FILE_LINES:
        findings.append(f"{source.path}:{lines} has {lines} lines; {FILE_LINES} are the most")
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size = (node.end_lineno or node.lineno) - node.lineno + 1
            if size > FUNCTION_LINES:
                findings.append(source.find(node, f"{node.name} has {size} lines; {FUNCTION_LINES} are the most"))
    return findings


def names(source: Source) -> list[str]:
    """Modules and packages named after nothing."""
    parts = source.path.removesuffix(".py").split("/")
    return [f"{source.path}:1 the name {part!r} says nothing" for part in parts if part in EMPTY_WORDS]


def docstrings(source: Source) -> list[str]:
    """Modules of the packages that do not say what they are."""
    if source.package not in PACKAGES or ast.get_docstring(source.tree):
        return []
    return [f"{source.path}:1 does not open by saying what it is"]


def has_code(source: Source) -> bool:
    """Whether there is anything to test: more than a docstring, imports and constants of an `__init__`."""
    plain = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    return any(
        not (isinstance(node, plain) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)))
        for node in source.tree.body
    )


def mirror_of(path: str) -> str:
    """`harness/wire/native.py` -> `tests/harness/wire/test_native.py`; double underscores go."""
    folder, _, name = path.rpartition("/")
    return f"tests/{folder}/test_{name.strip('_').removesuffix('.py').strip('_')}.py"


def mirrors(all_sources: Iterable[Source]) -> list[str]:
    """Source files with code that have no test file of their name, and exceptions for files that are gone or tested."""
    known = {source.path: source for source in all_sources}
    findings = [f"{path}:1 is excepted from mirrored tests, and is gone" for path in NO_MIRROR if path not in known]
    for path, source in known.items():
        if source.package in PACKAGES and has_code(source):
            missing = mirror_of(path) not in known
            if missing and path not in NO_MIRROR:
                findings.append(f"{path}:1 has no {mirror_of(path)}")
            if not missing and path in NO_MIRROR:
                findings.append(f"{path}:1 is excepted from mirrored tests, and has one")
    return findings


def can_fail(node: ast.AST) -> bool:
    return any(
        isinstance(inner, ast.Assert | ast.Raise)
        or (isinstance(inner, ast.Call) and CAN_FAIL.search(ast.unparse(inner.func)))
        for inner in ast.walk(node)
    )


def silent_tests(source: Source) -> list[str]:
    """Tests in which nothing can fail, by the look of it."""
    return [
        source.find(node, f"nothing in {node.name} can fail")
        for node in source.nodes
        if source.package == "tests"
        and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not can_fail(node)
    ]


def swallows(source: Source) -> list[str]:
    """Broad excepts that raise nothing, and functions of which `raise NotImplementedError` is the whole body."""
    findings = []
    for node in source.nodes:
        if source.package not in PACKAGES:
            break
        if isinstance(node, ast.ExceptHandler) and is_broad(node) and not any(
            isinstance(inner, ast.Raise) for inner in ast.walk(node)
        ):
            findings.append(source.find(node, "catches everything and raises nothing"))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_stub(node):
            findings.append(source.find(node, f"{node.name} only raises NotImplementedError"))
    return findings


def is_broad(handler: ast.ExceptHandler) -> bool:
    caught = handler.type
    kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(kind is None or ast.unparse(kind) in ("Exception", "BaseException") for kind in kinds)


def is_stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    body = [part for part in node.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
    return bool(body) and all(
        isinstance(part, ast.Raise) and "NotImplementedError" in ast.unparse(part) for part in body
    )
