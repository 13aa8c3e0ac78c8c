"""A stack with something taken out: its tree, and a fresh import of it in this process, which should be a forked child.

Nothing on the disk is touched: the changed tree is compiled under the file's own name, and modules that the stack's
package had are imported again from code, so that no old function is left in use. There is no way back.
"""
from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.resources.readers import FileReader
from importlib.util import spec_from_loader
from pathlib import Path, PosixPath
from types import CodeType, ModuleType
from typing import Any, ClassVar

from harness.campaign.guards import Guard, Row, find
from harness.campaign.scripts.find import find as find_in_script
from harness.campaign.scripts.find import without as script_without
from harness.campaign.tables import GUARD_TABLES, UNRUN
from harness.problem import UsageProblem
from harness.serve.dotted import resolve


def without(text: str, file: str, ids: Collection[str], tables: Sequence[str] | None = None) -> ast.Module:
    """The tree of a source text without the guards named. Raises UsageProblem for a name that it does not have."""
    tree = ast.parse(text)
    sites = [site for site in find(tree, file, tables_of(file) if tables is None else tables) if site.guard.id in ids]
    if len(sites) != len(set(ids)):
        absent = sorted(set(ids) - {site.guard.id for site in sites})
        raise UsageProblem(f"guard {', '.join(absent)}", f"a guard of {file}", "see `trailcam guards --list`")
    nodes: dict[int, Any] = {}
    rows: dict[int, list[int]] = {}
    for site in sites:
        change = site.change()
        if isinstance(change, Row):
            rows.setdefault(id(change.display), []).append(change.place)
        else:
            nodes[id(site.node)] = change
    changed = _Take(nodes, rows).visit(tree)
    assert isinstance(changed, ast.Module)
    return ast.fix_missing_locations(changed)


def tables_of(file: str) -> tuple[str, ...]:
    """The constants of a file whose rows are guards."""
    return GUARD_TABLES.get(file, ())


class _Take(ast.NodeTransformer):
    def __init__(self, nodes: Mapping[int, Any], rows: Mapping[int, list[int]]) -> None:
        self._nodes = nodes
        self._rows = rows

    def visit(self, node: ast.AST) -> Any:
        key = id(node)
        changed = super().visit(node)  # what stands inside goes too, where several guards are taken out
        if key in self._rows:
            _drop(node, self._rows[key])
        if key in self._nodes:
            change = self._nodes[key]
            return change if isinstance(change, list) else ast.copy_location(change, node)
        return changed


def _drop(display: ast.AST, places: Collection[int]) -> None:
    for name in ("keys", "values", "elts"):
        members = getattr(display, name, None)
        if members is not None:
            setattr(display, name, [each for place, each in enumerate(members) if place not in places])


class Package:
    """The sources of a stack's package, compiled once. name: dotted; root: of the checkout; texts: file -> source in
    place of what is on the disk; besides: packages whose guards are this stack's too; scripts: its files of JavaScript
    in the same way. What stands in UNRUN is left out."""

    def __init__(
        self, name: str, root: Path, texts: Mapping[str, str] | None = None, besides: Sequence[str] = (),
        scripts: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.root = root
        self.scripts = dict(scripts or {})
        self._names = (name, *besides)
        files = [path for each in self._names for path in sorted(root.joinpath(*each.split(".")).rglob("*.py"))]
        found = {path.relative_to(root).as_posix(): path for path in files}
        self.texts = {file: path.read_text(encoding="utf-8") for file, path in found.items() if file not in UNRUN}
        self.texts.update(texts or {})
        self._codes = {file: self._code(ast.parse(text), file) for file, text in self.texts.items()}

    def guards(self, part: str = "") -> list[Guard]:
        """Every guard of the files whose path contains `part`, by file and place; those of JavaScript come last."""
        python = [
            site.guard
            for file, text in self.texts.items()
            if part in file
            for site in find(ast.parse(text), file, tables_of(file))
            if not UNRUN.keys() & {function_of(site.guard.id), site.guard.id.removeprefix("guard:")}
        ]
        scripts = [
            site.guard for file, text in self.scripts.items() if part in file for site in find_in_script(text, file)
        ]
        return python + scripts

    def install_without(self, ids: Sequence[str]) -> None:
        """Import the package again without these guards."""
        by_file: dict[str, list[str]] = {}
        for id in ids:
            file = file_of(id)
            if file not in self.texts and file not in self.scripts:
                raise UsageProblem(f"guard {id}", f"a guard of {self.name}", "see `trailcam guards --list`")
            by_file.setdefault(file, []).append(id)
        self.install(
            {file: without(self.texts[file], file, ids) for file, ids in by_file.items() if file in self.texts},
            {file: script_without(self.scripts[file], file, ids) for file, ids in by_file.items()
             if file in self.scripts},
        )  # fmt: skip

    def install(self, trees: Mapping[str, ast.Module], scripts: Mapping[str, str] | None = None) -> None:
        """Import the package again, with these trees in place of their files, and these texts of its scripts."""
        _Overlaid.texts = {str(self.root / file): text for file, text in (scripts or {}).items()}
        codes = {**self._codes, **{file: self._code(tree, file) for file, tree in trees.items()}}
        names = {_module_of(file): (code, file.endswith("/__init__.py")) for file, code in codes.items()}
        for name in [name for name in sys.modules if self._has(name)]:
            above, _, last = name.rpartition(".")
            if above in sys.modules:
                vars(sys.modules[above]).pop(last, None)  # `from ABOVE import LAST` would still find it there
            del sys.modules[name]
        sys.meta_path.insert(0, _Finder(names, self.root))
        resolve(f"{self.name}:__name__")

    def _has(self, module: str) -> bool:
        return any(module == name or module.startswith(f"{name}.") for name in self._names)

    def _code(self, tree: ast.Module, file: str) -> CodeType:
        return compile(tree, str(self.root / file), "exec")


def file_of(id: str) -> str:
    """The file in a guard's name."""
    return id.removeprefix("guard:").partition("#")[0]


def function_of(id: str) -> str:
    """FILE#FUNCTION of a guard's name."""
    file, _, rest = id.removeprefix("guard:").partition("#")
    return f"{file}#{rest.partition(':')[0]}"


def _module_of(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


class _Finder(MetaPathFinder):
    def __init__(self, codes: Mapping[str, tuple[CodeType, bool]], root: Path) -> None:
        self._codes = codes
        self._root = root

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name not in self._codes:
            return None
        code, is_package = self._codes[name]
        spec = spec_from_loader(name, _Code(code), origin=code.co_filename, is_package=is_package)
        if spec is not None and is_package:
            spec.submodule_search_locations = [str(self._root.joinpath(*name.split(".")))]
        return spec


class _Overlaid(PosixPath):
    """A path below which some files have other texts. texts: path -> text."""

    texts: ClassVar[Mapping[str, str]] = {}

    def read_text(self, encoding: str | None = None, errors: str | None = None) -> str:
        found = self.texts.get(str(self))
        return super().read_text(encoding, errors) if found is None else found


class _Reader(FileReader):
    def files(self) -> Any:
        return _Overlaid(self.path)


class _Code(Loader):
    """path: of the file, so that data beside the code is found as before."""

    def __init__(self, code: CodeType) -> None:
        self._code = code
        self.path = code.co_filename

    def get_resource_reader(self, name: str) -> FileReader:
        return _Reader(self)  # type: ignore[arg-type]  # of a loader it wants the path alone

    def get_code(self, name: str) -> CodeType:
        return self._code  # for what runs a module as a program

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = self._code.co_filename
        exec(self._code, module.__dict__)
