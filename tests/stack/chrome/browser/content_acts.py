"""Cases of what the content program does: which request it refuses, what is done, seen of it, and left behind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STALE = {"reason": "stale_snapshot"}
UNABLE = {"reason": "not_actionable"}
PICKERS = ("date", "datetime-local", "month", "time", "week")
INNER = """<iframe id=f srcdoc="<p>x</p>" style="width:100px;height:100px;border:0"></iframe>"""
EXPECT = """await new Promise((done) => {
    if (by("f").contentDocument?.readyState === "complete") done(); else by("f").onload = done });
  agent.children.expect("word"); const child = (part = { x: 1, y: 1, w: 10, h: 10 }) => {
    const { view, ...rest } = plain(ask({ operation: "child", word: "word", part })); return rest };
  const send = async () => { by("f").contentWindow.eval("parent.postMessage('word', '*')"); await later(50) };"""

ACTS: Mapping[str, tuple[str, str, Any]] = {
    "too late": (
        "<button>a</button>",
        "return plain(ask({ operation: 'hello', expires: 1 }))",
        {"reason": "timed_out", "dispatched": False},
    ),
    "for another origin": ("", "return plain(ask({ operation: 'hello', origin: 'http://b.test' }))", STALE),
    "for another program": ("", "return plain(ask({ operation: 'hello', nonce: '0' }))", STALE),
    "for this program": ("", "return plain(ask({ operation: 'hello', nonce: agent.nonce }))", {}),
    "of no kind": ("", "return plain(ask({ operation: 'eval' }))", {"reason": "invalid_message"}),
    "a viewer of PDF": ("<embed type='application/pdf'>", "return plain(look())", {"reason": "restricted_page"}),
    "of another look": (
        "<button>a</button>",
        "const at = id('a'); return act('activate', at, 0, { generation: 7 })",
        STALE,
    ),
    "on a text": ("<p>a</p>", "snap(); return act('activate', '0:1')", UNABLE),
    "on what was not shown": (
        "<p>a</p>",
        "snap(); return [act('activate', '0:0'), act('activate', '0:2')]",
        [STALE, STALE],
    ),
    "on what is gone": (
        "<button id=b>a</button>",
        "const at = id('a'); by('b').remove(); return act('activate', at)",
        STALE,
    ),
    "on what is not seen": (
        "<button id=b aria-label=a></button>",
        """const at = id('a'); by('b').style.visibility = 'hidden';
        return act('activate', at)""",
        STALE,
    ),
    "on what is another": (
        "<button id=b>a</button>",
        "const at = id('a'); by('b').textContent = 'c'; return act('activate', at)",
        STALE,
    ),
    "on a row that is another": (
        "<ul><li><b id=n>Ann</b> <button>a</button></ul>",
        """const at = id('a');
        by('n').textContent = 'Bob'; return act('activate', at)""",
        STALE,
    ),
    "on what can't": (
        "<button aria-disabled=true onclick='window.hit = 1'>a</button>",
        """window.hit = 0; const at = id('a');
        return [act('activate', at), window.hit]""",
        [UNABLE, 0],
    ),
    "on what takes no value": (
        "<button id=b>a</button>",
        """const at = id('a'); return [act('set_value', at, 'x'),
        by('b').textContent]""",
        [UNABLE, "a"],
    ),
    "nothing is under way": ("", "return observe()", {"reason": "no_result"}),
    "after the page went away": (
        "<button>a</button>",
        """const at = id('a'); dispatchEvent(new Event('pagehide'));
        const { generation } = ask({ operation: 'hello' }); return act('activate', at, 0, { generation })""",
        STALE,
    ),
    "nothing is watched of a page that went away": (
        "<button>a</button>",
        """const before = live.size; snap();
        dispatchEvent(new Event('pagehide')); return live.size - before""",
        0,
    ),
    "a click": (
        "<button onclick=\"this.firstChild.data = 'b'\">a</button>",
        "return act('activate', id('a'))",
        {"dispatched": True, "effect": ["content"], "trusted": True},
    ),
    "a click that takes itself away": (
        "<b id=l>N</b><section aria-labelledby=l onclick='this.remove()'>x</section>",
        "return act('activate', id('N')).effect",
        ["content"],
    ),
    "a header that takes itself away": (
        "<header onclick='this.remove()'>x</header>",
        "return act('activate', one().id).effect",
        ["content"],
    ),
    "an effect that comes later": (
        '<button onclick="setTimeout(() => out.textContent = 1)">a</button><i id=out></i>',
        "act('activate', id('a')); await later(20); return observe().effect",
        ["content"],
    ),
    "a change before the look is no restlessness": (
        '<button onclick="out.textContent += 1">a</button><i id=out>0</i>',
        """snap(); by('out').textContent += 'x'; const at = id('a'); await later();
        return act('activate', at).effect""",
        ["content"],
    ),
    "what changes by itself is no effect": (
        '<button onclick="out.firstChild.data += 1">a</button><i id=out>0</i>',
        """const at = id('a'); by('out').firstChild.data += 'x'; await later(); return act('activate', at).effect""",
        [],
    ),
    "listeners are taken away": (
        "<button>a</button>",
        """const at = id('a'), before = listening.get('click') ?? 0;
        act('activate', at); return (listening.get('click') ?? 0) - before""",
        0,
    ),
    "an action that is refused watches nothing": (
        "<input type=radio checked>",
        """const at = one().id, before = live.size;
        const said = act('set_value', at, false); return [said, live.size - before]""",
        [{"reason": "not_actionable", "state": "choose_another", "own": []}, 0],
    ),
    "after an action that is refused what changes by itself is no effect": (
        '<input type=radio checked><button onclick="out.firstChild.data += 1">a</button><i id=out>0</i>',
        """const at = id('a'); act('set_value', '0:1', false); by('out').firstChild.data += 'x'; await later();
        return act('activate', at).effect""",
        [],
    ),
    "after an action that is over what changes by itself is no effect": (
        '<b role=button tabindex=0>b</b><button onclick="out.firstChild.data += 1">a</button><i id=out>0</i>',
        """const at = id('a'); act('activate', '0:1'); observe(true); by('out').firstChild.data += 'x'; await later();
        return act('activate', at).effect""",
        [],
    ),
    "one action is watched at a time": (
        "<button>a</button>",
        """const at = id('a'); act('activate', at);
        const before = live.size; act('activate', at); return live.size - before""",
        0,
    ),
    "what comes later of a second action": (
        '<button>a</button><button onclick="setTimeout(() => out.textContent = 1)">b</button><i id=out></i>',
        "const at = id('b'); act('activate', '0:1'); act('activate', at); await later(20); return observe().effect",
        ["content"],
    ),
    "an action that is over is not watched": (
        "<button>a</button>",
        """const at = id('a'), before = live.size;
        act('activate', at); observe(true); return [live.size - before, observe()]""",
        [0, {"reason": "no_result"}],
    ),
    **{
        f"a window of the browser for {kind}": (
            f"<input type={kind} onclick='window.hit = 1'>",
            """window.hit = 0;
        const said = act('activate', one().id); return [said.trusted, window.hit]""",
            [True, 0],
        )
        for kind in ("color", "file", *PICKERS)
    },
    "a focus": ("<button>a</button>", "return act('focus', id('a')).effect", ["focus"]),
    "a focus that does not last": (
        "<button onfocus='setTimeout(() => this.blur())'>a</button>",
        "act('focus', id('a')); await later(30); return observe().effect",
        [],
    ),
    "a focus that is not taken": (
        "<button onfocus='this.blur()'>a</button>",
        "return act('focus', id('a')).effect",
        [],
    ),
    "scrolled": (
        "<div style='height:9000px'></div><button>a</button>",
        "return act('scroll_into_view', id('a')).effect",
        ["scroll"],
    ),
    "scrolled back": (
        "<div style='height:9000px'></div><button>a</button>",
        """act('scroll_into_view', id('a'));
        scrollTo(0, 0); return observe().effect""",
        [],
    ),
    "what no scrolling brings into view": (
        "<button style='position:fixed;top:-500px'>a</button>",
        "return act('scroll_into_view', id('a')).effect",
        [],
    ),
    "in view": ("<button>a</button>", "return act('scroll_into_view', id('a')).effect", ["already"]),
    "a line in view": (
        "<p tabindex=0 role=button aria-label=a style='height:0;width:50px;margin:9px'></p>",
        "return act('scroll_into_view', id('a')).effect",
        ["already"],
    ),
    "a post in view": (
        "<p tabindex=0 role=button aria-label=a style='height:50px;width:0;margin:9px'></p>",
        "return act('scroll_into_view', id('a')).effect",
        ["already"],
    ),
    **{
        f"set {what}": (page, f"return act('set_value', one().id, {value})", {"reason": reason, "own": [], **state})
        for what, page, value, reason, state in (
            ("a field to true", "<input>", "true", "not_actionable", {"state": "wants_text"}),
            ("a box to a text", "<input type=checkbox>", "'x'", "not_actionable", {"state": "wants_true_or_false"}),
            ("a choice to true", "<select><option>a</select>", "true", "not_actionable", {"state": "wants_text"}),
            (
                "one choice to two",
                "<select><option>a<option>b</select>",
                "['a', 'b']",
                "not_actionable",
                {"state": "wants_one"},
            ),
            (
                "a choice that there is twice",
                "<select><option>c<option>a<option>a</select>",
                "'a'",
                "ambiguous_target",
                {},
            ),
            (
                "a choice that there is not",
                "<select><option>a</select>",
                "'b'",
                "not_actionable",
                {"state": "no_such_option"},
            ),
            (
                "a choice that is off",
                "<select><option>a<option disabled>b</select>",
                "'b'",
                "not_actionable",
                {"state": "no_such_option"},
            ),
        )
    },
    "where it is": (
        "<button style='position:fixed;left:10px;top:20px;width:80px;height:30px'>a</button>",
        "return locate(id('a'))",
        {"part": {"x": 10, "y": 20, "w": 80, "h": 30}},
    ),
    "cut off at its side": (
        "<div style='width:100px;overflow:clip'><button style='position:relative;left:300px'>a</button></div>",
        "return locate(id('a'))",
        {"reason": "not_actionable", "state": "out_of_view"},
    ),
    "cut off below": (
        "<div style='height:50px;overflow:clip'><button style='position:relative;top:300px'>a</button></div>",
        "return locate(id('a'))",
        {"reason": "not_actionable", "state": "out_of_view"},
    ),
    "covered": (
        "<button>a</button><div style='position:fixed;inset:0'></div>",
        "return locate(id('a'))",
        {"reason": "not_actionable", "state": "covered"},
    ),
    "a frame before its word": (
        INNER,
        EXPECT + "const early = child(); await send(); return [early, 'part' in child()]",
        [{"reason": "frame_not_accessible"}, True],
    ),
    "a frame's word twice": (
        INNER,
        EXPECT + "await send(); return ['part' in child(), child()]",
        [True, {"reason": "frame_not_accessible"}],
    ),
    "beside what a frame shows": (
        INNER,
        EXPECT + "await send(); return child({ x: 500, y: 1, w: 9, h: 9 })",
        {"reason": "not_actionable", "state": "out_of_view"},
    ),
    "below what a frame shows": (
        INNER,
        EXPECT + "await send(); return child({ x: 1, y: 500, w: 9, h: 9 })",
        {"reason": "not_actionable", "state": "out_of_view"},
    ),
    "a covered frame": (
        f"{INNER}<div style='position:fixed;inset:0'></div>",
        EXPECT + "await send(); return child()",
        {"reason": "not_actionable", "state": "covered"},
    ),
}
