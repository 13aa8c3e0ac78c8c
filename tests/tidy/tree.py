"""What the tree holds: source files with their syntax trees, and every text file; nothing built or installed."""
from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("harness", "fakes", "stack", "reports")
BUILT = frozenset({
    ".git", ".venv", "build", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis",
})
BINARY = frozenset({".png", ".ico", ".zip", ".whl", ".gz", ".woff2"})


@dataclass(frozen=True)
class Source:
    """One Python file. path: from the checkout's root, with forward slashes."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, filename=self.path)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node, once walked for all rules."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def typing_only(self) -> frozenset[int]:
        """Identities of the nodes under `if TYPE_CHECKING`."""
        blocks = (node for node in self.nodes if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        return frozenset(id(inner) for block in blocks for inner in ast.walk(block))

    @cached_property
    def module(self) -> str:
        """Dotted name: `harness/wire/__init__.py` is `harness.wire`."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def package(self) -> str:
        """The first part of the path."""
        return self.path.partition("/")[0]

    def find(self, node: ast.AST, what: str) -> str:
        return f"{self.path}:{getattr(node, 'lineno', 1)} {what}"


def sources(root: Path = ROOT) -> list[Source]:
    """Every Python file of the packages and the tests."""
    return [Source(name, text) for name, text in texts(root) if name.endswith(".py")]


def texts(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Path and text of every file that is not built, not installed and not binary."""
    for place, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name not in BUILT and not name.endswith(".egg-info"))
        for name in sorted(files):
            path = Path(place) / name
            if path.suffix not in BINARY and not name.startswith(".coverage") and not path.is_symlink():
                yield path.relative_to(root).as_posix(), path.read_text(errors="replace")
