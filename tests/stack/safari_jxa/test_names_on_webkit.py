"""Labels against the accessible-name cases of the web-platform-tests, on real WebKit.

The cases are data that is not part of this project: a folder named by TRAILCAM_ACCNAME, or beside the checkout.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes.engines.webkit import WebKit
from stack.safari_jxa import scripts

CASES = Path(os.environ.get("TRAILCAM_ACCNAME", "../shared/data/wpt-accname"))
ENOUGH = 0.95
MARKED = """
const names = (%s)(), found = [];
(function look(root) {
  for (const el of root.querySelectorAll("*")) {
    if (el.dataset && el.dataset.expectedlabel !== undefined)
      found.push([el.dataset.testname, el.dataset.expectedlabel, names.name(el)]);
    if (el.shadowRoot) look(el.shadowRoot);
  }
})(document);
return found;
"""
NAMED = "const names = (%s)(); return names.name(document.getElementById(arguments[0]));"

pytestmark = [pytest.mark.engine("webkit"), pytest.mark.engine("xvfb")]


def rows(text: str) -> Iterator[tuple[str, str]]:
    """Element and expected name of each check of a manual case."""
    element = re.search(r'"element"\s*:\s*"(\w+)"', text)
    checks = re.search(r'"ATK"\s*:\s*(\[.*?\]\s*\])', text, re.DOTALL)
    if element is not None and checks is not None:
        for check in json.loads(checks.group(1)):
            if check[:3] == ["property", "name", "is"]:
                yield element.group(1), check[3]


@pytest.mark.skipif(
    not CASES.is_dir(),
    reason=f"the accname cases of web-platform-tests are not at {CASES}; name them by TRAILCAM_ACCNAME",
)
@pytest.mark.claim("JXA-OBS-03", tooth="names by aria-label alone")
def test_labels_are_the_accessible_names_in_nearly_all_cases() -> None:
    files = {f"http://cases.test/{path.relative_to(CASES)}": path for path in sorted(CASES.rglob("*.html"))}
    pages: dict[str, Any] = {url: {"body": path.read_text(encoding="utf-8")} for url, path in files.items()}
    engine = WebKit(pages, inspected=False)
    engine.start()
    names = scripts.names()
    wrong: list[tuple[str, str, str]] = []
    total = bare = 0
    try:
        handle = engine.open("about:blank")
        for url, path in files.items():
            engine.go(handle, url)
            cases: list[Any] = engine.evaluate(handle, MARKED % names)
            for element, expected in rows(path.read_text(encoding="utf-8")):
                cases.append([path.name, expected, engine.evaluate(handle, NAMED % names, element)])
            attributes = "(function () { return {name: (el) => el.getAttribute('aria-label') || ''} })"
            bare += sum(case[1] == case[2] for case in engine.evaluate(handle, MARKED % attributes))
            total += len(cases)
            wrong += [tuple(case) for case in cases if case[1].strip(" \t\n\f\r") != case[2]]
    finally:
        engine.close()
    assert total > 350
    assert bare / total < ENOUGH
    assert 1 - len(wrong) / total >= ENOUGH, wrong
