"""Sizes, names, mirrors and swallowed errors, on bad text and on good."""
from __future__ import annotations

import pytest

from tests.tidy import shape
from tests.tidy.tree import Source


def function_of(lines: int) -> str:
    return "def f():\n" + "    x = 1\n" * (lines - 1)


def test_functions_up_to_the_bound_pass_and_one_line_more_does_not() -> None:
    assert shape.sizes(Source("harness/a.py", function_of(70))) == []
    assert shape.sizes(Source("harness/a.py", function_of(71))) == ["harness/a.py:1 f has 71 lines; 70 are the most"]
    assert len(shape.sizes(Source("harness/a.py", "async " + function_of(71)))) == 1


def test_files_up_to_the_bound_pass_and_one_line_more_does_not() -> None:
    assert shape.sizes(Source("harness/a.py", "x = 1\n" * 400)) == []
    assert len(shape.sizes(Source("harness/a.py", "x = 1\n" * 401))) == 1


@pytest.mark.parametrize("path", ["harness/utils.py", "stack/common/a.py", "tests/helpers.py", "fakes/misc/b.py"])
def test_names_that_say_nothing_are_found(path: str) -> None:
    assert len(shape.names(Source(path, ""))) == 1


def test_names_that_say_something_pass() -> None:
    assert shape.names(Source("fakes/fronts/helper.py", "")) == []


def test_modules_say_what_they_are() -> None:
    assert shape.docstrings(Source("harness/a.py", "x = 1\n")) == ["harness/a.py:1 does not open by saying what it is"]
    assert shape.docstrings(Source("harness/a.py", '"""What it is."""\n')) == []
    assert shape.docstrings(Source("tests/a.py", "x = 1\n")) == []


@pytest.mark.parametrize(
    ("path", "mirror"),
    [
        ("harness/wire/native.py", "tests/harness/wire/test_native.py"),
        ("harness/cli.py", "tests/harness/test_cli.py"),
        ("harness/record/__main__.py", "tests/harness/record/test_main.py"),
        ("harness/wire/__init__.py", "tests/harness/wire/test_init.py"),
    ],
)
def test_mirrored_paths(path: str, mirror: str) -> None:
    assert shape.mirror_of(path) == mirror


def test_a_file_with_code_and_no_test_file_is_found() -> None:
    code = Source("harness/a.py", "def f(): ...\n")
    test = Source("tests/harness/test_a.py", "")
    assert shape.mirrors([code]) == ["harness/a.py:1 has no tests/harness/test_a.py"]
    assert shape.mirrors([code, test]) == []
    assert shape.mirrors([Source("harness/a/__init__.py", '"""Map."""\nfrom harness.b import c\nX = 1\n')]) == []


def test_exceptions_from_mirrors_are_found_when_they_are_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    code = Source("harness/a.py", "def f(): ...\n")
    monkeypatch.setitem(shape.NO_MIRROR, "harness/a.py", "because")
    assert shape.mirrors([code]) == []
    assert len(shape.mirrors([code, Source("tests/harness/test_a.py", "")])) == 1
    assert len(shape.mirrors([])) == 1


@pytest.mark.parametrize(
    "body",
    ["assert x", "with pytest.raises(E):\n        f()", "raise E", "check_host(h)", "run_state_machine_as_test(m)"],
)
def test_tests_that_can_fail_pass(body: str) -> None:
    assert shape.silent_tests(Source("tests/test_a.py", f"def test_a():\n    {body}\n")) == []


@pytest.mark.parametrize("body", ["f()", "pass", "x = 1", "print(result)"])
def test_tests_that_cannot_fail_are_found(body: str) -> None:
    text = f"def test_a():\n    {body}\n"
    assert shape.silent_tests(Source("tests/test_a.py", text)) == ["tests/test_a.py:1 nothing in test_a can fail"]
    assert len(shape.silent_tests(Source("tests/test_a.py", f"async {text}"))) == 1
    assert shape.silent_tests(Source("harness/a.py", text)) == []


@pytest.mark.parametrize("caught", ["", " Exception", " BaseException", " (OSError, Exception)"])
def test_swallowed_errors_are_found(caught: str) -> None:
    text = f"try:\n    f()\nexcept{caught}:\n    x = 1\n"
    assert shape.swallows(Source("harness/a.py", text)) == ["harness/a.py:3 catches everything and raises nothing"]
    assert shape.swallows(Source("tests/a.py", text)) == []
    assert shape.swallows(Source("harness/a.py", text.replace("x = 1", "raise"))) == []


def test_narrow_excepts_pass() -> None:
    assert shape.swallows(Source("harness/a.py", "try:\n    f()\nexcept OSError:\n    x = 1\n")) == []


def test_stubs_are_found() -> None:
    stub = 'def f():\n    """Says."""\n    raise NotImplementedError\n'
    assert shape.swallows(Source("stack/a.py", stub)) == ["stack/a.py:1 f only raises NotImplementedError"]
    assert shape.swallows(Source("stack/a.py", "def f():\n    raise ValueError\n")) == []
