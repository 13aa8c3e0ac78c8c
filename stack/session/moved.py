"""What two observations differ in: what a caller asks after every action.

Separate from the commands. "Nothing changed" is said only where the two are equal in all that an observation has.
"""

from __future__ import annotations

from collections.abc import Mapping

from stack.contract import Json

Observation = Mapping[str, Json]


def moved(before: Observation, after: Observation) -> dict[str, Json]:
    """`{nothing, appeared, gone, changed, text, scroll, url, title, navigated}`: labels of controls that came, went or
    have another value; text: characters more or fewer; scroll: points; url, title: the new ones, null where the same.
    """
    old, new = _controls(before), _controls(after)
    same_text = before["text"] == after["text"]
    parts: dict[str, Json] = {
        "appeared": [label for label in new if label not in old],
        "gone": [label for label in old if label not in new],
        "changed": [label for label, values in new.items() if label in old and values != old[label]],
        "text": 0 if same_text else len(str(after["text"])) - len(str(before["text"])),
        "scroll": _y(after) - _y(before),
        "url": None if before["url"] == after["url"] else after["url"],
        "title": None if before["title"] == after["title"] else after["title"],
        "navigated": after.get("rebound") is True,
    }
    parts["text_changed"] = not same_text
    equal = before["fingerprint"] == after["fingerprint"] and parts["title"] is None and not parts["navigated"]
    return {"nothing": equal, **parts}


def _controls(page: Observation) -> dict[str, Json]:
    """Label -> the values of all that have it, in the order of the page."""
    found: dict[str, list[Json]] = {}
    actions = page["actions"]
    assert isinstance(actions, list)
    for action in actions:
        assert isinstance(action, dict)
        if "node" in action:
            found.setdefault(str(action["label"]), []).append([action["kind"], action.get("value")])
    return {label: list(values) for label, values in found.items()}


def _y(page: Observation) -> float:
    scroll = page["scroll"]
    y = scroll.get("y") if isinstance(scroll, dict) else None
    return y if isinstance(y, int | float) else 0
