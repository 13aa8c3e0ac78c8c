from __future__ import annotations

import pytest

from harness.serve.dotted import Resolved, resolve
from harness.serve.stage import Stage


def test_a_dotted_name_is_the_object() -> None:
    assert resolve("harness.serve.stage:Stage") is Stage
    assert resolve("harness.serve.stage:Stage.open") is Stage.open


@pytest.mark.parametrize(("name", "error"), [("no.such:Thing", ImportError), ("harness.serve:Nope", AttributeError)])
def test_a_wrong_name_says_so(name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        resolve(name)


def test_a_mapping_resolves_on_first_use() -> None:
    names = Resolved({"stage": "harness.serve.stage:Stage", "bad": "no.such:Thing"})
    assert names.get("stage") is Stage
    assert names.get("stage") is Stage
    assert names.get("other") is None
    assert "bad" in names
    assert sorted(names) == ["bad", "stage"]
