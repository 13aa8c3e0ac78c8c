"""What was shown, and when it is over."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from stack.chrome.bridge import BridgeError
from stack.chrome.snapshots import KEPT, UNTOLD, Page, Snapshot, Snapshots, discreet, page_nodes
from tests.stack.chrome.rig import DOCUMENT, snapshot


def bridge() -> Any:
    return SimpleNamespace(closed=None, latest=[], events=0)


def made(snapshots: Snapshots, of: Any, *names: str) -> Snapshot:
    result = snapshot(*names)
    nodes = {node["id"]: node for node in page_nodes(result["nodes"])}
    refs = {frame["frame_id"]: frame["ref"] for frame in result["frames"]}
    return Snapshot(snapshots.new_id(), nodes, Page(of, 1, refs, result["target"]))


def test_nodes_are_found_by_their_id_or_by_a_name_that_is_one_nodes_alone() -> None:
    snapshots = Snapshots()
    each = made(snapshots, bridge(), "Buy", "Sell", "Buy")
    assert each.node("p0:2")["name"] == "Sell"
    assert each.ref(each.node("p0:2"))["node"] == "0:2"
    assert each.called("Sell", None)["id"] == "p0:2"
    assert each.called("Sell", "button")["id"] == "p0:2"
    with pytest.raises(BridgeError, match="ambiguous_target") as caught:
        each.called("Buy", None)
    assert [row["node_id"] for row in caught.value.detail["candidates"]] == ["p0:1", "p0:3"]  # type: ignore[union-attr,index,call-overload]
    for name, role in (("Nothing", None), ("Sell", "link")):
        with pytest.raises(BridgeError, match="stale_snapshot"):
            each.called(name, role)
    with pytest.raises(BridgeError, match="stale_snapshot"):
        each.node("p0:9")


@pytest.mark.parametrize(
    ("event", "data", "over"),
    [
        ("tab_navigated", {"tab_id": 1, "frame_id": 0, "document_id": "B" * 32}, True),
        ("tab_navigated", {"tab_id": 1, "frame_id": 5, "document_id": "B" * 32}, True),
        ("tab_navigated", {"tab_id": 1, "frame_id": 0, "document_id": DOCUMENT}, False),
        ("tab_navigated", {"tab_id": 2, "frame_id": 0, "document_id": "B" * 32}, False),
        ("tab_closed", {"tab_id": 1}, True),
        ("tab_closed", {"tab_id": 2}, False),
        ("permission_revoked", {}, True),
        ("disconnecting", {}, True),
        ("same_document", {"tab_id": 1}, False),
        ("permission_granted", {}, False),
        ("state_changed", {"tab_id": 1}, False),
    ],
)
@pytest.mark.parametrize("early", [False, True])
def test_events_end_what_they_touch_also_where_they_came_with_the_answer(
    event: str, data: dict[str, Any], over: bool, early: bool
) -> None:
    snapshots, of = Snapshots(), bridge()
    each = made(snapshots, of, "Buy")
    if early:
        of.latest, of.events = [(1, event, data)], 1
        snapshots.keep(each, since=0)
    else:
        snapshots.keep(each)
        snapshots.told(bridge(), event, data)
        assert snapshots.get(each.id) is each
        snapshots.told(of, event, data)
    if over:
        with pytest.raises(BridgeError, match="stale_snapshot"):
            snapshots.get(each.id)
    else:
        assert snapshots.get(each.id) is each


def test_more_events_than_can_be_told_end_it() -> None:
    snapshots, of = Snapshots(), bridge()
    of.events = 300
    each = made(snapshots, of, "Buy")
    snapshots.keep(each, since=0)
    with pytest.raises(BridgeError, match="more has happened"):
        snapshots.get(each.id)


def test_an_end_of_the_connection_ends_it_and_old_ones_are_forgotten() -> None:
    snapshots, of = Snapshots(), bridge()
    each = made(snapshots, of, "Buy")
    snapshots.keep(each)
    of.closed = BridgeError("bridge_disconnected", "")
    with pytest.raises(BridgeError, match="connection"):
        snapshots.get(each.id)
    native = Snapshot(snapshots.new_id(), {})
    snapshots.keep(native)
    snapshots.told(of, "tab_closed", {"tab_id": 1})
    assert snapshots.get(native.id) is native
    for _ in range(KEPT):
        snapshots.keep(Snapshot(snapshots.new_id(), {}))
    with pytest.raises(BridgeError, match="no such snapshot"):
        snapshots.get(native.id)


def test_ids_of_parents_are_those_that_are_served() -> None:
    (node,) = page_nodes([{**snapshot("A")["nodes"][0], "parent": "0:7"}])
    assert (node["id"], node["parent"], node["provider"]) == ("p0:1", "p0:7", "chrome_extension")


CONTROLS: list[dict[str, Any]] = [
    {"id": "na", "role": "textfield", "name": "Address", "value": "https://a.test/?card=4111"},
    {"id": "nt", "role": "tab", "name": "Card 4111", "value": "1"},
    {"id": "nb", "role": "button", "name": "Reload", "value": None},
]


@pytest.mark.claim("CHR-SNAP-05", tooth="a page without a secret, beside which the same controls say everything")
def test_the_browsers_controls_say_no_more_than_the_page_where_it_holds_a_secret() -> None:
    open_target = {"title": "Card 4111", "url": "https://a.test/?card=4111"}
    other = {"title": "Other", "url": "https://b.test/", "state": "enabled"}
    assert discreet(CONTROLS, open_target, []) == CONTROLS
    assert discreet(CONTROLS, open_target, [other]) == CONTROLS
    secrets: list[tuple[dict[str, str], list[dict[str, str]]]] = [
        ({"title": "Card [redacted]"}, []), ({"url": "https://a.test/?card=[redacted]"}, []),
        ({}, [other, {**other, "title": "Card [redacted]"}]), ({}, [{**other, "url": "https://b.test/[redacted]"}]),
        ({}, [{"state": "enabled", "reason": "timed_out"}]), ({}, [UNTOLD]),
    ]  # fmt: skip
    for secret, tabs in secrets:
        cleaned = discreet(CONTROLS, {**open_target, **secret}, tabs)
        assert "4111" not in str(cleaned)
        assert [node["name"] for node in cleaned] == ["[redacted]", "[redacted]", "Reload"]


DENIED = {"state": "site_denied", "reason": "site_permission_required"}


@pytest.mark.claim("CHR-PERM-05", tooth="the same controls where every tab is told")
@pytest.mark.parametrize("address", ["https://a.test/b/", "a.test/b/", "a.test/b"])
def test_beside_a_tab_that_is_not_told_the_controls_say_what_the_extension_has_said(address: str) -> None:
    controls: list[dict[str, Any]] = [
        {"id": "na", "role": "textfield", "name": "Private", "value": address},
        {"id": "n1", "role": "tab", "name": "Told", "value": None},
        {"id": "n2", "role": "tab", "name": "Private", "value": "https://bank.test/"},
        {"id": "nb", "role": "button", "name": "Reload", "value": None},
    ]
    target = {"title": "Told", "url": "https://a.test/b/"}
    told = {**target, "state": "enabled"}
    assert discreet(controls, target, [told]) == controls
    cleaned = discreet(controls, target, [told, DENIED])
    assert [(node["name"], node["value"]) for node in cleaned] == [
        ("[redacted]", address), ("Told", None), ("[redacted]", None), ("Reload", None),
    ]  # fmt: skip
