"""JavaScriptCore: what only it has. It runs in processes of its own: `test_javascript` and tests/fakes/osascript."""

from __future__ import annotations

import pytest

from fakes.engines import javascript_core
from fakes.engines.javascript import EngineMissing, missing
from tests.fakes.engines.test_javascript import evaluated


@pytest.mark.skipif(missing("jsc") is not None, reason=f"no engine: {missing('jsc')}")
def test_its_texts_of_errors_are_those_of_safari() -> None:
    text = "try { const w = undefined; w.tabs } catch (error) { error.message }"
    assert evaluated("jsc", text) == "\"undefined is not an object (evaluating 'w.tabs')\""


def test_without_a_library_it_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(javascript_core, "LIBRARIES", ("libno-such-library.so.1",))
    with pytest.raises(EngineMissing, match="libjavascriptcoregtk"):
        javascript_core.library()
