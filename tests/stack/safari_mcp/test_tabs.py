"""A list of tabs, whole or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from stack.errors import ProtocolError
from stack.safari_mcp.tabs import Tab, Target, is_handle, read_tabs


def test_what_is_read() -> None:
    rows: Any = [{"handle": "page-1", "url": "u", "title": "t", "active": False}, {"handle": "b"}]
    assert read_tabs(rows) == (Tab("page-1", "u", "t"), Tab("b", None, None))
    assert read_tabs([]) == ()
    assert Target("a", "e").shown() == {"targetId": "a", "epoch": "e"}


@pytest.mark.parametrize("value", [
    None, {}, "x", [1], [None], [{}], [{"handle": 1}], [{"handle": ""}], [{"handle": "a b"}], [{"handle": "a\n"}],
    [{"handle": "a" * 201}], [{"handle": "a"}, {"handle": "a"}], [{"handle": "a", "url": 1}],
    [{"handle": "a", "title": []}], [{"handle": "a"}, {"handle": "é"}],
])  # fmt: skip
def test_what_is_refused_whole(value: Any) -> None:
    with pytest.raises(ProtocolError) as error:
        read_tabs(value)
    assert error.value.code == "tab_list_malformed"


def test_handles() -> None:
    assert is_handle("page-00000000-0000-4000-8000-000000000001")
    assert is_handle("a" * 200)
    for value in ("", "a" * 201, "a.b", None, 3, "a\n"):
        assert not is_handle(value)
