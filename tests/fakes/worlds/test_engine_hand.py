"""What each verb does to a real page: whose events it gets, and what it holds afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fakes.engines import walker
from fakes.engines.webdriver import DriverError
from fakes.engines.webkit import WebKit
from fakes.worlds.engine_hand import HANDS, act
from tests.fakes.engines.test_walker import named

pytestmark = [pytest.mark.engine("webkit"), pytest.mark.engine("xvfb")]
BODY = """<!doctype html><body data-node=body><title>Hands</title>
<input data-node=field value=ab><input data-node=fixed value=ab readonly><input data-node=mail type=email value=ab>
<div data-node=rich contenteditable>ab</div><textarea data-node=area>ab</textarea>
<select data-node=choice><option value=a>A<option value=b>B</select>
<button data-node=plain>plain</button>
<button data-node=veiled style="position:absolute;left:10px;top:300px;width:90px;height:30px">veiled</button>
<div data-node=veil style="position:absolute;left:0;top:290px;width:120px;height:60px">veil</div>
<div data-node=pane style="position:absolute;left:300px;top:300px;overflow:auto;width:90px;height:60px">
<div style="height:500px">x</div></div><div style="height:3000px"></div>
<script>
const said = [];
for (const type of ["click", "mouseenter", "keydown", "input", "change"]) {
  for (const node of document.querySelectorAll("[data-node]")) node.addEventListener(type, (event) => {
    if (event.target === node) said.push([type, node.dataset.node, event.isTrusted, event.key || ""].join(" ").trim());
  });
}
</script>"""
STATE = """
const of = (name) => document.querySelector(`[data-node=${name}]`);
return {said: said.splice(0), field: of("field").value, fixed: of("fixed").value, mail: of("mail").value,
  rich: of("rich").textContent, area: of("area").value, choice: of("choice").value, page: scrollY,
  pane: of("pane").scrollTop};
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[WebKit]:
    made = WebKit({"http://hands.test/": {"body": BODY}}, inspected=False)
    made.start()
    yield made
    made.close()


ENTERED = ["mouseenter body true", "mouseenter plain true"]
CASES: dict[str, tuple[str, str | None, Any, dict[str, Any]]] = {
    "a click is the user's": ("click", "plain", None, {"said": [*ENTERED, "click plain true"]}),
    "a click under something goes straight to it": ("click", "veiled", None, {"said": ["click veiled false"]}),
    "a hover": ("hover", "plain", None, {"said": ENTERED}),
    "a hover under something": ("hover", "veiled", None, {"said": ["mouseenter veiled false"]}),
    "typing pastes at the end": ("type", "field", "Zoë", {"field": "abZoë", "said": ["input field true"]}),
    "typing where no place can be set": ("type", "mail", "x", {"mail": "x"}),
    "typing into rich text": ("type", "rich", "c", {"rich": "abc"}),
    "typing into an area": ("type", "area", "c", {"area": "abc"}),
    "typing into what is read-only": ("type", "fixed", "c", {"fixed": "ab", "said": []}),
    "replacing": ("replace", "field", "new", {"field": "new"}),
    "replacing by nothing": ("replace", "field", "", {"field": ""}),
    "replacing rich text": ("replace", "rich", "new", {"rich": "new"}),
    "filling": ("fill", "field", "new", {"field": "new", "said": ["input field true", "change field false"]}),
    "choosing": ("select", "choice", "b", {"choice": "b", "said": ["input choice false", "change choice false"]}),
    "choosing what is not there": ("selectText", "choice", "z", {"choice": "a", "said": []}),
    "scrolling the page": ("scroll", None, [0, 250], {"page": 250}),
    "scrolling a pane": ("scroll", "pane", [0, 40], {"pane": 40, "page": 0}),
    "scrolling what can't scroll scrolls the page": ("scroll", "plain", [0, 30], {"page": 30}),
    "a key without a focus": ("keyPress", None, "Escape", {"said": ["keydown body true Escape"]}),
    "an unknown verb": ("highlightText", "plain", "x", {"said": []}),
    "nothing to click": ("click", None, None, {"said": []}),
    "nothing to type into": ("type", None, "x", {"field": "ab"}),
    "nothing to choose from": ("select", None, "b", {"choice": "a"}),
}


@pytest.mark.parametrize(("verb", "name", "value", "state"), CASES.values(), ids=CASES)
def test_a_verb_does_what_safari_does(
    engine: WebKit, verb: str, name: str | None, value: Any, state: dict[str, Any]
) -> None:
    handle = engine.open("http://hands.test/")
    reading = walker.read(engine, handle)
    ref = None if name is None else named(reading)[name]["ref"]
    act((engine, handle, reading["id"], ref), verb, value)
    seen = engine.evaluate(handle, STATE)
    assert {key: seen[key] for key in state} == state
    engine.close_window(handle)


def test_a_key_goes_where_the_focus_was_asked_for(engine: WebKit) -> None:
    handle = engine.open("http://hands.test/")
    reading = walker.read(engine, handle)
    field = named(reading)["field"]["ref"]
    act((engine, handle, reading["id"], None), "keyPress", "x", focus=field)
    seen = engine.evaluate(handle, STATE)
    assert seen["said"][:1] == ["keydown field true x"] and "x" in seen["field"]
    engine.evaluate(handle, "document.querySelector('[data-node=plain]').remove()")
    with pytest.raises(DriverError) as caught:
        act((engine, handle, reading["id"], named(reading)["plain"]["ref"]), "click", None)
    assert caught.value.code == "stale element reference"
    engine.close_window(handle)


def test_every_verb_of_a_page_has_a_hand() -> None:
    assert set(HANDS) == {
        "click", "hover", "type", "replace", "fill", "select", "selectText", "selectMenuItem", "keyPress", "scroll",
    }  # fmt: skip
