"""Accessible names, descriptions and roles in a real Chromium: cases that nobody here wrote, and a table of roles.

The accname cases of web-platform-tests lie beside the checkout and are never copied; where they are not there the test
says so. The table of implicit roles is our own, after HTML-AAM, in the place of axe-core's list of 88, which is not
here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stack.chrome.browser.bare import Bare, page, parts_of
from tests.stack.chrome.browser.bridge import ROOT
from tests.stack.chrome.browser.chrome import SOURCE, built
from tests.stack.chrome.browser.pages import html
from tests.stack.chrome.browser.roles import ROLES

CASES = ROOT / "../shared/data/wpt-accname" / "accname"
ASCII_SPACE = "\t\n\f\r "
"""What the suite itself trims before it compares."""
STANDS_IN = """<script>
globalThis.AriaUtils = { verifyLabelsBySelector(each) { globalThis.selector = each }, verifyRolesBySelector() {} };
globalThis.setup = globalThis.test = () => {};
globalThis.ATTAcomm = function (about) { globalThis.about = about };
</script>"""
"""For the suite's own scripts: keeps what a page asks for."""
AUTOMATED = """[...document.querySelectorAll(selector)].map((each) =>
  [each.dataset.testname, each.dataset.expectedlabel, trailcamParts.name(each)])"""
MANUAL = """about.steps.flatMap((step) => (step.test.ATK ?? []).filter(([kind, what]) =>
  kind === "property" && (what === "name" || what === "description")).map(([, what, , wanted]) =>
  [what, wanted, trailcamParts[what](document.getElementById(step.element))]))"""
DIFFERS = {
    "name_test_case_659-manual.html": "a label's own title between its generated texts: accname takes content first",
}
"""Cases that we do not answer as the suite does, and why."""
pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))


@pytest.fixture(scope="module")
def bare() -> Iterator[Bare]:
    """A page with the content program's parts, as built from the source."""
    built()
    with tempfile.TemporaryDirectory(prefix="trailcam-names-") as folder, page(parts_of(SOURCE, Path(folder))) as found:
        yield found


def cases(folder: str) -> list[Path]:
    if not CASES.is_dir():
        pytest.skip("the accname cases of web-platform-tests are not beside the checkout")
    return sorted((CASES / folder).rglob("*.html"))


def compare(rows: list[list[str]], file: Path) -> tuple[int, list[str]]:
    """Number of cases, and those that differ."""
    wrong = [file.name for _, wanted, got in rows if wanted.strip(ASCII_SPACE) != got.strip(ASCII_SPACE)]
    return len(rows), wrong


def measured(bare: Bare, folder: str, ask: str) -> tuple[int, list[str]]:
    count, wrong = 0, []
    for file in cases(folder):
        bare.show(STANDS_IN + file.read_text(encoding="utf-8"))
        some, differ = compare(bare.ask(ask), file)
        count += some
        wrong += differ
    return count, wrong


@pytest.mark.claim("CHR-SNAP-02", tooth="a name computed from text content alone")
def test_names_of_the_automated_cases(bare: Bare) -> None:
    count, wrong = measured(bare, "name", AUTOMATED)
    assert count == 274
    assert len(wrong) <= 0.03 * count
    assert {each for each in wrong if each not in DIFFERS} == set()
    naive = AUTOMATED.replace("trailcamParts.name(each)", "each.textContent")
    _, missed = measured(bare, "name", naive)
    assert len(missed) > 0.03 * count


@pytest.mark.claim("CHR-SNAP-02")
def test_names_and_descriptions_of_the_manual_cases(bare: Bare) -> None:
    count, wrong = measured(bare, "manual", MANUAL)
    assert count == 119
    assert set(wrong) == set(DIFFERS)
    assert len(wrong) <= 0.02 * 109


@pytest.mark.claim("CHR-SNAP-02", tooth="a table with one role changed")
def test_implicit_roles(bare: Bare) -> None:
    assert len(ROLES) == 88
    bare.show("".join(f'<div id="case{number}">{html}</div>' for number, (html, _) in enumerate(ROLES)))
    got = bare.ask("""Array.from({length: 88}, (_, number) => {
      const box = document.getElementById(`case${number}`);
      return trailcamParts.role(box.querySelector(".it") ?? box.firstElementChild);
    })""")
    wrong = [(html, role, seen) for (html, role), seen in zip(ROLES, got, strict=True) if role != seen]
    assert wrong == []
    changed = [("navigation" if role == "main" else role) for _, role in ROLES]
    assert changed != got


@pytest.mark.claim("CHR-SNAP-02")
def test_names_agree_with_the_browsers_own(bare: Bare) -> None:
    """CDP's tree is the oracle for roles and names of a page of common controls; it has other words for a few roles."""
    bare.show(html("names-controls"))
    browser, session = bare.browser, bare.session
    browser.call("Accessibility.enable", session=session)
    root = browser.call("DOM.getDocument", {"depth": 0}, session)["root"]["nodeId"]
    found = browser.call("DOM.querySelectorAll", {"nodeId": root, "selector": "[data-case]"}, session)["nodeIds"]
    ours = bare.ask(
        "[...document.querySelectorAll('[data-case]')].map((each) => "
        "[each.dataset.case, trailcamParts.role(each), trailcamParts.name(each), trailcamParts.description(each)])"
    )
    wrong = []
    for (case, role, name, description), node in zip(ours, found, strict=True):
        answer = browser.call("Accessibility.getPartialAXTree", {"nodeId": node, "fetchRelatives": False}, session)
        theirs = answer["nodes"][0]
        seen = (
            theirs["role"]["value"],
            theirs["name"]["value"].strip(),
            theirs.get("description", {}).get("value", ""),
        )
        seen = (ROLE_WORDS.get(seen[0], seen[0]), *seen[1:])
        if seen != (role, name, description) and case not in AGAINST_THE_BROWSER:
            wrong.append((case, seen, (role, name, description)))
    assert wrong == []
    assert len(found) >= 40


ROLE_WORDS = {
    "image": "img", "LineBreak": "generic", "Date": "textbox", "InputTime": "textbox", "ColorWell": "button",
    "DisclosureTriangle": "button", "sectionheader": "generic", "sectionfooter": "generic", "Iframe": "iframe",
    "LabelText": "label", "listbox": "listbox", "MenuListPopup": "menu",
}  # fmt: skip
"""Chromium's own names for roles, in ARIA's words."""
AGAINST_THE_BROWSER = {"figure": "HTML-AAM names a figure by its caption; Chromium does not"}
