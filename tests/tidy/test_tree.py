"""What the tree reader finds, and what it leaves out."""
from __future__ import annotations

from pathlib import Path

from tests.tidy.tree import ROOT, Source, sources, texts


def test_built_and_installed_things_are_no_part_of_the_tree(tmp_path: Path) -> None:
    for name in ("harness/a.py", "build/b.py", ".venv/lib/c.py", "tests/__pycache__/d.py", "x.egg-info/e.py", "p.png"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a = 1\n")
    (tmp_path / "harness" / "link.py").symlink_to(tmp_path / "harness" / "a.py")
    assert [name for name, _ in texts(tmp_path)] == ["harness/a.py"]
    assert [source.path for source in sources(tmp_path)] == ["harness/a.py"]


def test_the_tree_that_is_judged_is_this_one() -> None:
    found = {source.path for source in sources()}
    assert {"harness/problem.py", "tests/tidy/tree.py", "tests/conftest.py"} <= found
    assert (ROOT / "pyproject.toml").is_file()


def test_a_package_is_named_without_its_init() -> None:
    assert Source("harness/wire/__init__.py", "").module == "harness.wire"
    assert Source("harness/wire/native.py", "").module == "harness.wire.native"
    assert Source("harness/wire/native.py", "").package == "harness"
