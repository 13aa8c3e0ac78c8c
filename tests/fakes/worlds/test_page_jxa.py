"""The page program of stack/safari_jxa on the model: epochs, guards, nonces and phases, and what actions do."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds.page_jxa import answer
from harness.wire.jsontext import loads
from tests.fakes.worlds.jxa_pages import COVERED, FORM, Page, el, on_model, row


def seen(page: Any = FORM) -> Page:
    made = on_model(page)
    made.observe()
    return made


# Documents


def test_binding_installs_once() -> None:
    made = on_model()
    assert made.ask("bind", epoch="other") == {
        "status": "ok", "epoch": "E1", "url": "http://form.test/page?q=1", "title": "Form", "ready": "complete",
    }  # fmt: skip


@pytest.mark.parametrize("op", ["act", "fresh", "resolve", "observe"])
def test_in_another_document_nothing_is_touched(op: str) -> None:
    made = seen()
    made.world.change("user", reload={"tab": "tab-1"})
    made.book.time_ms = 100
    made.world.advance()
    action = made.action("click", "Go")
    request = {"nonce": "n", "action": action, "guard": made.guard(action), "text": None, "rebind": None}
    assert made.ask(op, **request) == {"status": "document"}
    assert made.tab.document.stamps == {}
    assert made.effects == []


def test_an_observation_may_bind_the_new_document() -> None:
    made = seen()
    assert made.seen["rebound"] is False
    made.world.change("user", reload={"tab": "tab-1"})
    made.book.time_ms = 100
    made.world.advance()
    again = made.ask("observe", rebind="E2")
    assert (again["status"], again["epoch"], again["rebound"]) == ("ok", "E2", True)


def test_an_op_that_there_is_not() -> None:
    assert on_model().ask("erase")["status"] == "invalid"
    assert on_model().ask(5)["status"] == "invalid"  # type: ignore[arg-type]


@pytest.mark.parametrize("argument", [[], 7, None, "bind", {}, {"op": "observe"}, {"op": "observe", "rebind": "E2"}])
def test_an_argument_without_its_members_is_answered(argument: Any) -> None:
    made = on_model()
    reply: Any = loads(answer(made.world, lambda p, ref, what: None, 1, made.tab, argument))
    bound = isinstance(argument, dict) and "rebind" in argument
    assert reply["status"] == ("ok" if bound else "document")


def test_a_document_that_is_bound_without_an_epoch_has_none() -> None:
    made = on_model()
    made.tab.document.stamps.clear()
    reply: Any = loads(answer(made.world, lambda p, ref, what: None, 1, made.tab, {"op": "bind"}))
    assert reply["epoch"] is None


# Phases


def test_a_click_is_done_once_under_its_nonce() -> None:
    made = seen()
    assert made.act("click", "Go", nonce="n1") == {"status": "finished", "changed": True}
    assert made.act("click", "Go", nonce="n1") == {"status": "repeated", "phase": "finished", "changed": True}
    assert made.effects == [("click", "go", None)]
    assert made.ask("resolve", nonce="n1") == {"status": "ok", "phase": "finished", "changed": True}


def test_a_void_nonce_refuses_a_late_act() -> None:
    made = seen()
    for _ in range(2):
        assert made.ask("resolve", nonce="n1") == {"status": "ok", "phase": "void"}
    assert made.act("click", "Go", nonce="n1") == {"status": "void"}
    assert made.effects == []


def test_a_refusal_is_recorded() -> None:
    made = seen()
    made.world.change("page", page={"tab": "tab-1", "do": [{"set": {"node": "go", "text": "Stop"}}]})
    assert made.act("click", "Go", nonce="n1") == {"status": "refused", "part": "target"}
    came = made.came
    assert (came["status"], came["rebound"], came == made.observe()) == ("ok", False, True)
    assert made.ask("resolve", nonce="n1") == {"status": "ok", "phase": "refused", "part": "target"}
    assert made.effects == []


def test_no_record_is_forgotten() -> None:
    made = seen()
    made.ask("resolve", nonce="void")
    nonces = [f"n{n}" for n in range(70)]
    for nonce in nonces:
        assert made.act("click", "Dead", nonce=nonce) == {"status": "finished", "changed": False}
    assert [*made.tab.document.stamps["trailcam.safari_jxa"].records] == ["void", *nonces]



# What actions do


@pytest.mark.parametrize(
    ("kind", "label", "text", "effect", "changed"),
    [
        ("click", "Go", None, ("click", "go", None), True),
        ("click", "Dead", None, ("click", "dead", None), False),
        ("click", "Box", None, ("click", "box", None), True),
        ("fill", "Name", "Ada", ("fill", "name", "Ada"), True),
        ("select", "Color: Blue", None, ("select", "color", "b"), True),
        ("scroll", "Scroll down", None, ("scroll", None, [0, 592]), True),
    ],
)
def test_effects(kind: str, label: str, text: str | None, effect: tuple[Any, ...], changed: bool) -> None:
    made = seen()
    more: dict[str, Any] = {"action": {"direction": "down"}} if kind == "scroll" else {}
    assert made.act(kind, label, text, **more) == {"status": "finished", "changed": changed}
    assert made.effects == [effect]


def test_scrolling_ends_where_the_page_does() -> None:
    made = seen()
    made.tab.document.page.scroll[1] = 2200.0
    observed = made.observe()
    assert [each["id"] for each in observed["actions"] if each["kind"] == "scroll"] == ["scroll-down", "scroll-up"]
    made.act("scroll", "Scroll down", action={"direction": "down"})
    assert made.effects == [("scroll", None, [0, observed["scroll"]["height"] - 740 - 2200])]
    assert "scroll-down" not in [each["id"] for each in made.observe()["actions"]]
    made.act("scroll", "Scroll up", action={"direction": "up"})
    assert made.effects[1] == ("scroll", None, [0, -592])


def test_a_click_that_leaves_the_document_was_done() -> None:
    page = {**FORM, "commit_ms": 0}
    made = seen(page)
    assert made.act("click", "Home") == {"status": "finished", "changed": True}
    assert made.effects == [("click", "link", None)]
    assert made.ask("resolve", nonce="nclickHomeNone") == {"status": "document"}


# Guards


@pytest.mark.parametrize(
    ("do", "part"),
    [
        ({"push": "/other"}, "route"),
        ({"push": "/page?q=2"}, None),
        ({"set": {"node": "box", "checked": True}}, "field"),
        ({"set": {"node": "secret", "value": "x"}}, "field"),
        ({"set": {"node": "go", "text": "Stop"}}, "target"),
        ({"set": {"node": "go", "attributes": {"aria-expanded": "true"}}}, "target"),
        ({"set": {"node": "out", "text": "New"}}, None),
        ({"insert": {"into": "row6", "element": {"tag": "b", "text": "more"}}}, "around"),
        ({"title": "Other"}, None),
    ],
)
def test_what_moved_is_named_and_what_is_elsewhere_does_not_count(do: dict[str, Any], part: str | None) -> None:
    made = seen()
    made.world.change("page", page={"tab": "tab-1", "do": [do]})
    fresh = {"status": "ok"} if part is None else {"status": "refused", "part": part}
    assert made.act("click", "Go", op="fresh") == fresh
    assert made.tab.document.stamps["trailcam.safari_jxa"].records == {}
    acted = made.act("click", "Go")
    assert acted == {"status": "finished", "changed": True} if part is None else fresh
    assert len(made.effects) == (part is None)


@pytest.mark.parametrize(
    ("do", "part"), [({"title": "Other"}, "around"), ({"set": {"node": "out", "text": "x"}}, "around")]
)
def test_a_scroll_looks_at_the_whole_page(do: dict[str, Any], part: str) -> None:
    made = seen()
    made.world.change("page", page={"tab": "tab-1", "do": [do]})
    assert made.act("scroll", "Scroll down", action={"direction": "down"}) == {"status": "refused", "part": part}


def test_a_window_that_was_resized() -> None:
    made = seen()
    made.world.change("user", move_window={"window": 7, "bounds": [0, 0, 900, 700]})
    assert made.act("click", "Go") == {"status": "refused", "part": "viewport"}


@pytest.mark.parametrize(
    ("do", "kind", "label", "text", "reason"),
    [
        ({"remove": "go"}, "click", "Go", None, "gone"),
        ({"rerender": "go"}, "click", "Go", None, "gone"),
        ({"set": {"node": "row6", "hidden": "visibility"}}, "click", "Go", None, "read_only"),
        (None, "fill", "Name", "too long", "rejected"),
        (None, "fill", "Name", "a\nb", "rejected"),
    ],
)
def test_why_an_action_is_blocked(do: Any, kind: str, label: str, text: str | None, reason: str) -> None:
    made = seen()
    if do is not None:
        made.world.change("page", page={"tab": "tab-1", "do": [do]})
    assert made.act(kind, label, text) == {"status": "refused", "reason": reason}
    assert made.effects == []


def test_an_element_that_went_with_its_route() -> None:
    made = seen()
    made.world.change("page", page={"tab": "tab-1", "do": [{"remove": "go"}, {"push": "/other"}]})
    assert made.act("click", "Go") == {"status": "refused", "part": "route"}


def test_what_is_covered_or_out_of_view() -> None:
    covered = seen(COVERED)
    assert covered.act("click", "Under") == {"status": "refused", "reason": "covered"}
    scrolled = seen()
    scrolled.tab.document.page.scroll[1] = 1000.0
    assert scrolled.act("click", "Go") == {"status": "refused", "reason": "out_of_view"}


def test_forged_actions() -> None:
    made = seen()
    number = made.tab.document.stamps["trailcam.safari_jxa"].number
    secret = number(made.tab.document.page.find("secret"))
    off, note = (number(made.tab.document.page.find(name)) for name in ("off", "note"))
    for node, kind, reason in ((secret, "fill", "forbidden"), (off, "click", "read_only"), (note, "fill", "read_only")):
        view = {"kind": kind, "node": node, "option": None, "direction": None}
        found = made.tab.document.page
        target = next(
            each for each, known in made.tab.document.stamps["trailcam.safari_jxa"].numbers.items() if known == node
        )
        assert found.find(target.name) is target
        guard = _guard(made, target)
        answer = made.ask("act", nonce=f"n{node}", action=view, guard=guard, text="x")
        assert answer == {"status": "refused", "reason": reason}
    choose = made.action("select", "Color: Red")
    for option in (2, 9, None):
        answer = made.ask(
            "act", nonce=f"o{option}", action={**choose, "option": option}, guard=made.guard(choose), text=None
        )
        assert answer == {"status": "refused", "reason": "gone"}


def _guard(made: Page, node: Any) -> dict[str, Any]:
    """The guard of a node that no observation offers."""
    from fakes.worlds.page_jxa_look import View

    state = made.tab.document.stamps["trailcam.safari_jxa"]
    view = View(made.world, made.tab, made.tab.document, state)
    return {"route": view.route(), "viewport": view.viewport(), **view.guard(node)}


def test_numbers_in_fields_for_numbers() -> None:
    made = seen({"body": [row(0, el("input", "count", type="number", aria_label="Count"))]})
    assert made.act("fill", "Count", "many") == {"status": "refused", "reason": "rejected"}
    assert made.act("fill", "Count", "12")["status"] == "finished"
    text = seen({"body": [row(0, el("div", "free", "x", contenteditable="true", aria_label="Free"))]})
    assert text.act("fill", "Free", "a\nb")["status"] == "finished"


def test_refs_of_an_observation_are_shown() -> None:
    made = seen()
    number = made.action("click", "Go")["node"]
    assert made.shown[f"7/{number}"] == {"window": "window-7", "tab": "tab-1", "document": "doc-2", "node": "go"}
    assert made.shown["7/page"] == {"window": "window-7", "tab": "tab-1"}
