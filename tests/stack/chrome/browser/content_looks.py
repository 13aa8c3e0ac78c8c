"""Cases of what a snapshot says of a page: what is content, hidden, cut, named and in which state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NODES = "return nodes()"
STATES = "return one().states"
NAME = "return one().name"
SVG = "http://www.w3.org/2000/svg"
HOLDERS = (
    "audio", "canvas", "embed", "head", "iframe", "frame", "link", "meta", "noscript", "object", "script", "style",
    "template", "title", "video", "datalist", "br", "wbr",
)  # fmt: skip
DRAWN = ("style", "script", "defs", "symbol", "metadata")


def holder(made: str) -> str:
    """What a snapshot says of a button that stands in an element that has no content for anybody."""
    return f"""const holder = {made}; holder.style.display = "block"; holder.controls = true;
      const inside = document.createElement("button"); inside.append("inside"); holder.append(inside);
      by("here").append(holder); return nodes().filter((each) => each.includes("inside"))"""


LOOKS: Mapping[str, tuple[str, str, Any]] = {
    **{f"in {tag}": ("<div id=here></div>", holder(f'made("{tag}")'), []) for tag in HOLDERS},
    **{f"in svg {tag}": ("<svg id=here></svg>", holder(f'made("{tag}", "{SVG}")'), []) for tag in DRAWN},
    "plain": ("<p>one <b>two</b></p> <p>three</p>", NODES, ["text one", "text two", "text three"]),
    "not seen": ("<p style='visibility:hidden'>no<b style='visibility:visible'>yes</b></p>", NODES, ["text yes"]),
    "not drawn": ("<p style='display:none'>no</p><p aria-hidden=true>no</p><p inert>no</p>", NODES, []),
    "where it is seen no style is asked": (
        "<p>x</p>" * 50,
        """let count = 0; const own = getComputedStyle;
        window.getComputedStyle = (...given) => { count += 1; return own(...given) };
        try { snap() } finally { window.getComputedStyle = own } return count < 20""",
        True,
    ),
    "a closed details": (
        "<details><summary>S</summary><p>no</p></details>",
        "return snap().nodes.map((e) => e.states)",
        [{}, {"expanded": False}],
    ),
    "as many as may be": (
        "<button>a</button><button>b</button><button>c</button>",
        "const seen = snap({ nodes: 2 }); return [seen.nodes.length, seen.over]",
        [2, ["nodes"]],
    ),
    "one that is not shown is none": (
        "<button>a</button><button>b</button>",
        """snap({ nodes: 1 }); return act("activate", "0:2")""",
        {"reason": "stale_snapshot"},
    ),
    "as deep as may be": (
        "<div><div><div>x</div></div></div>",
        "const seen = snap({ depth: 2 }); return [seen.nodes.length, seen.over]",
        [0, ["depth"]],
    ),
    "as many bytes as may be": (
        f"<p>{'x' * 900}</p><button>y</button>",
        "const seen = snap({ bytes: 600 }); return [seen.nodes.length, seen.over]",
        [0, ["bytes"]],
    ),
    "where bytes can't matter none are counted": (
        "<button>a</button>",
        """let count = 0; const own = JSON.stringify;
        JSON.stringify = (...given) => { count += 1; return own(...given) };
        try { snap() } finally { JSON.stringify = own } return count""",
        0,
    ),
    "as much text as may be": (
        "<p>abcdef</p>",
        """const seen = snap({ text: 4 });
        return [seen.nodes[0].name, seen.nodes[0].cut, seen.over]""",
        ["abcd", ["name"], ["text"]],
    ),
    "text that is not cut": (
        "<p>abcd</p>",
        """const seen = snap({ text: 4 });
        return [seen.nodes[0].name, seen.nodes[0].cut ?? null, seen.over]""",
        ["abcd", None, []],
    ),
    "cut between two halves": ("<p>abc&#x1F600;d</p>", "return snap({ text: 4 }).nodes[0].name", "abc"),
    "cut after a whole letter": ("<p>ab&#x1F600;d</p>", "return snap({ text: 4 }).nodes[0].name.length", 4),
    "cut after a letter of another plane": ("<p>abc&#xFF21;d</p>", "return snap({ text: 4 }).nodes[0].name.length", 4),
    "an open root is not closed": (
        "<div id=d></div>",
        """by("d").attachShadow({ mode: "open" }).innerHTML = "<i>x</i>";
        const own = chrome.dom; chrome.dom = { openOrClosedShadowRoot: (each) => each.shadowRoot };
        try { return snap().closed } finally { chrome.dom = own }""",
        False,
    ),
    "a closed root is told": (
        "<div id=d></div>",
        """const root = by("d").attachShadow({ mode: "closed" });
        const own = chrome.dom; chrome.dom = { openOrClosedShadowRoot: (each) => (each.id === "d" ? root : null) };
        try { return snap().closed } finally { chrome.dom = own }""",
        True,
    ),
    "paragraphs that can be used": ("<p onclick='0'>x</p>", "return one().role", "paragraph"),
    "no pressed": ("<button aria-pressed=bogus>x</button>", STATES, {}),
    "pressed": ("<button aria-pressed=mixed>x</button>", STATES, {"pressed": "mixed"}),
    "no checked": ("<button aria-checked=true>x</button>", STATES, {}),
    "no selected": ("<button aria-selected=true>x</button>", STATES, {}),
    "no expanded": ("<div><summary tabindex=0>x</summary></div>", STATES, {}),
    "no current": ("<button aria-current=false>x</button>", STATES, {}),
    "current": ("<button aria-current=page>x</button>", STATES, {"current": "page"}),
    "a field that is none": ("<div role=textbox>words</div>", "return one().value", None),
    "no value": ("<button>Go</button>", "return one().value", None),
    "what is only read": ("<input readonly>", "return one().actions", ["focus", "scroll_into_view"]),
    "a level": ("<h1 aria-level=3>x</h1>", "return one().level", 3),
    "no level": (
        "<h1 aria-level=101>x</h1><h2 aria-level=0>x</h2>",
        "return snap().nodes.map((e) => e.level ?? 0)",
        [1, 2],
    ),
    "a role nobody knows": ("<div role='bogus button'>x</div>", "return one().role", "button"),
    "a region without a name": ("<div role=region onclick='0'>x</div>", "return one().role", "generic"),
    "a region with one": ("<section aria-labelledby=l><b id=l>x</b></section>", "return one().role", "region"),
    "a list of several": ("<select size=3><option>a</select>", "return one().role", "listbox"),
    "a table of one head": (
        "<table><tr><th>a</table>",
        "return trailcamParts.role(document.querySelector('th'))",
        "cell",
    ),
    "a part of a table that is none": (
        "<table role=none><tr><td>a</table>",
        "return trailcamParts.role(document.querySelector('tr'))",
        "presentation",
    ),
    "a row apart from its table": (
        "<table role=none id=t></table>",
        """const [apart, row] = [made("div"), made("tr")];
        by("t").append(apart); apart.append(row); return trailcamParts.role(row)""",
        "row",
    ),
    "an item that keeps its meaning": (
        "<ul role=none><li tabindex=0>x</ul>",
        "return trailcamParts.role(document.querySelector('li'))",
        "listitem",
    ),
    "named by itself": ("<button id=b aria-owns=b>X</button>", NAME, "X"),
    "named while it is gone": (
        "<button style='display:none'>X</button>",
        "return trailcamParts.name(document.querySelector('button'))",
        "",
    ),
    "a menu in a name": ("<button>File <span role=menu>Open</span></button>", NAME, "File"),
    "what a hidden part owns": (
        "<button>Go<span style='display:none' aria-owns=x></span></button><p id=x>seen</p>",
        NAME,
        "Go",
    ),
    "seen below what is not": (
        "<button>Go <span style='visibility:hidden'>no<b style='visibility:visible'>yes</b></span></button>",
        NAME,
        "Go yes",
    ),
    "a list without a choice in a name": (
        "<button>Go <span role=listbox><i role=option>A</i></span></button>",
        NAME,
        "Go",
    ),
    "a box in a name": ("<button>Go <span role=combobox>tea</span></button>", NAME, "Go tea"),
    "labels of a button in a name": ("<h1>Hi <button id=b>Go</button></h1><label for=b>Label</label>", NAME, "Hi Go"),
    "what nobody sees in a name": ("<button>A<canvas>no</canvas></button>", NAME, "A"),
    "a comment in a name": ("<button>Go<!-- no --></button>", NAME, "Go"),
    "what a sheet hides": (
        "<style>b::before { content: 'no'; display: none }</style><button>G<b>o</b></button>",
        NAME,
        "Go",
    ),
    "what a sheet says": ("<style>b::before { content: 'yes ' }</style><button>G<b>o</b></button>", NAME, "Gyes o"),
    "a value is no name": ("<input value=abc title=T>", NAME, "T"),
    "a button's value": ("<input type=button value=Go>", "return [one().name, one().description]", ["Go", ""]),
    "a caption": (
        "<table onclick='0'><caption>C</caption><tr><td>a</table>",
        "return [one().name, one().description]",
        ["C", ""],
    ),
    "addresses of a part of the tree": ("<input aria-labelledby='l'><b id=l>N</b>", NAME, "N"),
}
