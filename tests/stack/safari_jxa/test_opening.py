"""How a session begins, and what is left where it does not."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

from stack.errors import CallError, StackError
from stack.safari_jxa.errors import BridgeCallError, BridgeError, BridgeTimeout, SafariError, ScopeLost
from stack.safari_jxa.opening import MARKER, check_url
from tests.stack.scripted_safari import SILENT, Safari, driving, failing, never, play

URL = "http://shop.test/"


def opening(safari: Safari, **where: Any) -> float:
    async def main() -> None:
        async with driving(safari) as (_, stack):
            session = await stack.open(URL, **where)
            assert session.status()["held"] == "owned"

    return play(main)


def attaching(safari: Safari) -> dict[str, Any]:
    found: dict[str, Any] = {}

    async def main() -> None:
        async with driving(safari) as (_, stack):
            found.update((await stack.attach(7)).status())

    play(main)
    return found


@pytest.mark.claim("JXA-WIN-01", tooth="a window that was there before")
def test_a_window_is_made_placed_and_loaded() -> None:
    safari = Safari()
    opening(safari, side="left")
    marker = safari.asked("open")[0]["marker"]
    assert marker.startswith(MARKER) and len(marker) == len(MARKER) + 32
    assert safari.asked("place") == [{"pid": 763, "window": 9, "bounds": [0, 31, 720, 2529]}]
    assert safari.asked("go") == [{"pid": 763, "window": 9, "url": URL}]
    assert safari.closed == 1
    unplaced = Safari()
    opening(unplaced)
    assert unplaced.asked("place") == []


def test_a_document_that_is_not_there_yet_is_waited_for() -> None:
    safari = Safari()
    states: list[Any] = [
        None,
        {"status": "ok", "url": "about:blank#trailcam-1", "epoch": "e", "ready": "complete"},
        {"status": "ok", "url": URL, "epoch": "e", "ready": "loading"},
        {"status": "ok", "url": URL},
        {"status": "ok", "url": URL, "epoch": "e", "ready": "interactive"},
    ]
    safari.pages["bind"] = lambda argument: states.pop(0)
    assert opening(safari) == pytest.approx(0.4)
    assert states == []


@pytest.mark.parametrize("url", ["safari-resource:/ErrorPage.html", "about:blank"])
def test_a_page_that_does_not_load_is_said_and_its_window_closed(url: str) -> None:
    safari = Safari(url=url)
    with pytest.raises(SafariError, match="page_not_loaded"):
        opening(safari)
    assert safari.closed == 1


@pytest.mark.parametrize("said", [SILENT, failing(-1712, sent=True)])
def test_a_window_whose_reply_was_lost_is_found_by_its_address_and_not_made_again(said: Any) -> None:
    safari = Safari(answers={"open": said}, tabs=1, visible=[0])

    def rows(request: dict[str, Any]) -> Any:
        marker = safari.asked("open")[0]["marker"]
        return {"windows": [{"window": 7, "tabs": 2, "url": URL}, {"window": 9, "tabs": 1, "url": marker}]}

    safari.answers["windows"] = rows
    opening(safari)
    assert len(safari.asked("open")) == 1
    assert safari.asked("go")[0]["window"] == 9


def test_a_window_that_was_certainly_not_made_is_not_looked_for() -> None:
    safari = Safari(answers={"open": failing(-10000, sent=False)})
    with pytest.raises(BridgeCallError) as caught:
        opening(safari)
    assert caught.value.outcome == "refused"
    assert safari.asked("windows") == []


@pytest.mark.parametrize("found", [[], [{"window": 9, "tabs": 1, "url": None}], [{"window": "9", "tabs": 1}], None])
def test_a_window_that_is_not_found_may_have_been_left(found: Any) -> None:
    safari = Safari(answers={"open": SILENT, "windows": {"windows": found}})
    with pytest.raises(SafariError, match="open_failed") as caught:
        opening(safari)
    assert caught.value.outcome == "unknown"
    assert safari.asked("go") == safari.asked("close") == []


def test_a_bridge_that_dies_while_it_opens_leaves_it_unknown() -> None:
    with pytest.raises(SafariError, match="open_failed") as caught:
        opening(Safari(answers={"open": never}))
    assert caught.value.outcome == "unknown"


def test_a_window_of_ours_that_is_not_among_the_new_ones_is_unknown() -> None:
    with pytest.raises(SafariError, match="open_failed"):
        opening(Safari(answers={"open": {"window": None, "seen": 0}}))


@pytest.mark.parametrize(
    ("method", "said", "error"),
    [
        ("place", failing(-10006), BridgeCallError),
        ("go", SILENT, BridgeTimeout),
        ("read", failing(8), BridgeCallError),
        ("read", {"value": "{}"}, BridgeError),
        ("read", {"tabs": 2, "visible": [1], "lost": True}, ScopeLost),
    ],
)
def test_what_fails_after_the_window_was_made_closes_it(method: str, said: Any, error: type[StackError]) -> None:
    safari = Safari(answers={method: said})
    with pytest.raises(error):
        opening(safari, side="left")
    assert safari.closed == 1


@pytest.mark.parametrize(("there", "closes"), [(True, 1), (False, 0)])
def test_an_open_that_is_taken_back_closes_what_it_made(there: bool, closes: int) -> None:
    safari = Safari(answers={"open": SILENT}, tabs=1, visible=[0])
    marker: list[str] = []

    def rows(request: dict[str, Any]) -> Any:
        marker.append(safari.asked("open")[0]["marker"])
        return {"windows": [{"window": 9, "tabs": 1, "url": marker[0] if there else URL}]}

    safari.answers["windows"] = rows

    async def main() -> None:
        async with driving(safari) as (_, stack):
            with anyio.move_on_after(1) as scope:
                await stack.open(URL)
            assert scope.cancelled_caught
            assert stack.session is None

    play(main)
    assert (len(safari.asked("open")), len(marker), safari.closed) == (1, 1, closes)


def ours(safari: Safari, **more: Any) -> Any:
    """An answer of `windows`: the new window, by its address."""
    return lambda request: {"windows": [{"window": 9, "tabs": 1, "url": safari.asked("open")[0]["marker"], **more}]}


@pytest.mark.parametrize("left", ["gains a tab", "can't be looked for", "is in no list", "has no number"])
def test_what_an_open_that_is_taken_back_may_have_left_is_said(left: str) -> None:
    safari = Safari(answers={"open": SILENT, "close": {"closed": False, "tabs": 2}})
    windows = {
        "gains a tab": ours(safari),
        "can't be looked for": failing(-1712),
        "is in no list": {"windows": None},
        "has no number": ours(safari, window="9"),
    }
    safari.answers["windows"] = windows[left]

    async def main() -> None:
        async with driving(safari) as (_, stack):
            with anyio.move_on_after(1), pytest.raises(SafariError, match="open_failed") as caught:
                await stack.open(URL)
            assert caught.value.outcome == "unknown"

    play(main)
    assert len(safari.asked("close")) == (left == "gains a tab")


@pytest.mark.parametrize("said", [SILENT, failing(-1712), failing(-600), never])
def test_a_window_that_can_not_be_looked_for_may_have_been_left(said: Any) -> None:
    safari = Safari(answers={"open": failing(-1712, sent=True), "windows": said})
    with pytest.raises(SafariError, match="open_failed: a new window can't be looked for") as caught:
        opening(safari)
    assert caught.value.outcome == "unknown"
    assert len(safari.asked("open")) == 1


@pytest.mark.claim("JXA-WIN-06", tooth="a call that says refused, and leaves a window")
@pytest.mark.parametrize(
    ("close", "words"),
    [
        ({"closed": False, "tabs": 2}, "left open: it has 2 tabs now"),
        (failing(-1743), "left open: Safari answered -1743"),
        (failing(-1712, sent=True), "unknown: Safari answered -1712"),
        (SILENT, "unknown: bridge_timeout"),
    ],
)
def test_what_can_not_be_closed_again_after_a_failure_is_said(close: Any, words: str) -> None:
    safari = Safari(answers={"go": failing(-1712, sent=True), "close": close})
    with pytest.raises(SafariError, match=f"open_failed: the new window is {words}.*apple_event_failed") as caught:
        opening(safari)
    assert caught.value.outcome == "unknown"
    assert len(safari.asked("close")) == 1


@pytest.mark.parametrize("close", [{"closed": True}, failing(-1728)])
def test_what_is_closed_again_after_a_failure_leaves_nothing_unknown(close: Any) -> None:
    safari = Safari(answers={"go": failing(-10000), "close": close})
    with pytest.raises(BridgeCallError, match="apple_event_failed") as caught:
        opening(safari)
    assert caught.value.outcome == "refused"


@pytest.mark.parametrize(("closes", "outcome"), [(True, "refused"), (False, "unknown")])
def test_an_open_that_is_taken_back_while_it_loads_says_what_it_left(closes: bool, outcome: str) -> None:
    safari = Safari(pages={"bind": None}, answers={"close": {"closed": closes, "tabs": 2}})

    async def main() -> None:
        async with driving(safari) as (_, stack):
            async with anyio.create_task_group() as tasks:
                replies: list[Any] = []

                async def call() -> None:
                    replies.append(await stack.call("open", {"url": URL}, None))  # type: ignore[arg-type]

                tasks.start_soon(call)
                await anyio.sleep(1)
                await stack.tell("cancel", None)
            assert [reply.outcome for reply in replies] == [outcome]

    play(main)


def test_a_denied_consent_opens_nothing() -> None:
    safari = Safari(answers={"open": failing(-1743, sent=True)})
    with pytest.raises(BridgeCallError, match="automation_denied"):
        opening(safari)
    assert safari.asked("windows") == []


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "about:blank", "shop.test", "http://", "",
     "http://a:b@shop.test/", "http://shop.test/ x", "http://[::1", "http://shop.test/" + "x" * 8200],
)  # fmt: skip
@pytest.mark.claim("JXA-OBS-04", tooth="addresses that are programs, files or passwords")
def test_an_address_is_never_a_program_a_file_or_a_password(url: str) -> None:
    safari = Safari()

    async def main() -> None:
        async with driving(safari) as (_, stack):
            with pytest.raises(CallError, match="invalid_arguments"):
                await stack.open(url)
            assert safari.heard == []

    play(main)
    check_url("https://shop.test:8443/a?b=c#d")


@pytest.mark.parametrize("bounds", [[1, 2, 3], [0, 0, 0, 5], "left", 7])
def test_bounds_that_are_none_are_refused_before_anything_is_asked(bounds: Any) -> None:
    safari = Safari()
    with pytest.raises(CallError, match="bounds"):
        opening(safari, bounds=bounds)
    assert safari.heard == []


# A window that is lent


@pytest.mark.claim("JXA-WIN-02", tooth="a session that would close or navigate it")
def test_a_window_is_taken_with_the_tab_that_it_shows() -> None:
    safari = Safari(tabs=4, visible=[2])
    status = attaching(safari)
    assert (status["held"], status["tabs"], status["position"], status["url"]) == ("lent", 4, 2, URL)
    assert {request["method"] for request in safari.heard} == {"start", "look", "read"}


def test_a_minimised_window_may_show_no_tab() -> None:
    assert attaching(Safari(tabs=1, visible=[]))["position"] == 0


@pytest.mark.parametrize("number", [-1728, -1719, -10006, -600])
def test_a_window_that_is_not_there_is_the_callers_mistake(number: int) -> None:
    with pytest.raises(CallError, match="no_such_window"):
        attaching(Safari(answers={"look": failing(number)}))


def test_another_failure_is_the_bridges() -> None:
    with pytest.raises(BridgeCallError, match="automation_denied"):
        attaching(Safari(answers={"look": failing(-1743)}))


@pytest.mark.parametrize(
    "seen",
    [
        {"tabs": 2, "visible": [0], "position": 1},
        {"tabs": 2, "visible": [0, 1], "position": 0},
        {"visible": []},
        {"tabs": 1},
    ],
)
def test_a_window_that_does_not_say_which_tab_it_shows_is_not_taken(seen: dict[str, Any]) -> None:
    with pytest.raises(CallError, match="no_such_window"):
        attaching(Safari(answers={"look": seen}))


@pytest.mark.parametrize("said", [None, {"status": "ok"}, {"status": "ok", "url": URL}])
def test_a_page_that_does_not_answer_is_not_taken(said: Any) -> None:
    with pytest.raises(BridgeError, match="page_unreadable"):
        attaching(Safari(pages={"bind": said}))


def test_a_document_that_is_bound_already_keeps_its_epoch() -> None:
    safari = Safari(epoch="earlier")
    attaching(safari)
    assert json.loads(json.dumps(safari.asked("read")[0]["argument"]))["op"] == "bind"
    assert safari.epoch == "earlier"
