"""Where a run's model is, and how its end is said."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import pytest

from stack.decide import Model, Options
from stack.decide.plan import Run
from stack.errors import CallError
from stack.session.deciding import MODEL_FILE, last_line, model_of, options_of
from tests.stack.session.holding import host_in

OWN = Model("http://127.0.0.1:1", "own", "secret")


def given(**more: Any) -> argparse.Namespace:
    absent = dict.fromkeys(["model", "model_name", "plan", "expect", "min_confidence", "steady"])
    return argparse.Namespace(**{**absent, "goal": "g", "literal": [], "execute": False, **more})


@pytest.mark.parametrize(
    ("words", "file", "expected"),
    [
        ({}, None, OWN),
        ({"model": "http://127.0.0.1:1"}, None, OWN),
        ({"model": "http://127.0.0.1:2"}, None, Model("http://127.0.0.1:2")),
        ({}, {"url": "http://127.0.0.1:3", "key": "k"}, Model("http://127.0.0.1:3", key="k")),
        ({"model": "http://127.0.0.1:2"}, {"url": "http://127.0.0.1:3", "key": "k"}, Model("http://127.0.0.1:2")),
        ({"model_name": "m"}, None, Model("http://127.0.0.1:1", "m", "secret")),
    ],
)
def test_a_key_goes_only_to_the_address_that_it_stands_beside(
    tmp_path: Path, words: dict[str, Any], file: Any, expected: Model
) -> None:
    host = host_in(tmp_path)
    if file is not None:
        host.publish(MODEL_FILE, json.dumps(file).encode())
    assert model_of(host, given(**words), OWN) == expected


@pytest.mark.parametrize("file", [None, b"no", b"[]", b'{"url": 1}'])
def test_a_model_that_can_not_be_found_is_said(tmp_path: Path, file: bytes | None) -> None:
    host = host_in(tmp_path)
    if file is not None:
        host.publish(MODEL_FILE, file)
    with pytest.raises(CallError, match="model_missing"):
        model_of(host, given(), None)


@pytest.mark.claim("JXA-RUN-13", tooth="options of the command line that were left out")
def test_what_the_command_line_leaves_out_has_its_default() -> None:
    assert options_of(given()) == Options(("g",), in_plan=False)


@pytest.mark.claim("JXA-RUN-06", tooth="an expectation that is not met")
@pytest.mark.parametrize(
    ("ran", "said"),
    [
        (Run(ended="done", proven=True), 'proven  the page shows "a\\\\+"'),
        (Run(ended="not_proven", proven=False), 'not proven  the page does not show "a\\\\+"'),
        (Run(ended="blocked"), "ended   blocked"),
        (Run(error=CallError("no_session", "none")), "failed  no_session: none. Open or attach a window first"),
    ],
)
def test_the_last_line_says_how_it_ended(ran: Run, said: str) -> None:
    assert last_line(ran, Options(("g",), expect=re.compile(r"a\+"))) == said
