"""Pages that Hypothesis grows: any elements, attributes, places and texts that a definition may have."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TAGS = (
    "div",
    "p",
    "a",
    "button",
    "input",
    "textarea",
    "select",
    "ul",
    "li",
    "details",
    "summary",
    "iframe",
    "img",
    "label",
    "h1",
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=8)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(
        ("id", "class", "href", "type", "name", "role", "title", "aria-label", "open", "disabled", "hidden")
    ),
    st.one_of(st.just(True), TEXTS, st.sampled_from(("/two", "checkbox", "button", "http://shop.test/"))),
    max_size=3,
)


def element(children: Any) -> Any:
    return st.fixed_dictionaries(
        {
            "tag": st.sampled_from(TAGS),
            "attributes": ATTRIBUTES,
            "text": TEXTS,
            "children": st.lists(children, max_size=3),
        },
        optional={
            "hidden": st.sampled_from((None, "display", "visibility")),
            "at": st.just([1, 2, 30, 40]),
            "overlay": st.booleans(),
            "checked": st.booleans(),
            "value": TEXTS,
            "shadow": st.lists(children, max_size=1),
        },
    )


BODIES = st.lists(st.recursive(TEXTS, lambda inner: st.one_of(TEXTS, element(inner)), max_leaves=8), max_size=4)
