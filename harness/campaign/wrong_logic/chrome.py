"""Wrong logic of Chrome's pages: mistakes of a server and a native host that nobody sees while nothing goes wrong."""
from __future__ import annotations

from harness.campaign.wrong_logic import Mistake

SCENARIOS = "chrome/"


def _mistake(name: str, scenario: str, case: str, file: str, old: str, new: str) -> Mistake:
    return Mistake(name, f"{SCENARIOS}{scenario}.yaml", case, f"stack/chrome/{file}.py", old, new)


MISTAKES: tuple[Mistake, ...] = (
    _mistake(
        "of two nodes of one name the first is meant",
        "nodes-of-one-name", "",
        "snapshots",
        "        if len(found) > 1:\n", "        if not found and len(found) > 1:\n",
    ),
    _mistake(
        "a node that went is looked for again by its name",
        "only-what-was-shown-is-acted-on", "the page rendered the node anew",
        "acting",
        '            if error.reason != "needs_trusted_input" or verb != "activate":\n                raise\n',
        '            if error.reason == "stale_snapshot":\n'
        '                seen = await page.bridge.request("snapshot", {"tab_id": page.tab_id}, self._settings.ask_ms)\n'
        '                (frame, same) = seen["frames"][0], [\n'
        '                    each for each in seen["nodes"] if each["name"] == node["name"]]\n'
        '                params["ref"] = {**frame["ref"], "node": same[0]["id"]}\n'
        "                result = await page.bridge.request(verb, params, self._settings.ask_ms)\n"
        '                return Done(str(result["route"]), tuple(result["effect"]), {})\n'
        '            if error.reason != "needs_trusted_input" or verb != "activate":\n                raise\n',
    ),
    _mistake(
        "a page that came back is the page that was read",
        "only-what-was-shown-is-acted-on", "the page came back out of the cache",
        "snapshots",
        '    elif event in ENDS_TABS and data.get("tab_id") == page.tab_id:\n',
        "    elif event in ENDS_TABS and False:\n",
    ),
    _mistake(
        "a permission that is gone ends nothing",
        "only-what-was-shown-is-acted-on", "the user took the permission back",
        "snapshots",
        'ENDS_ALL: Final = frozenset({"permission_revoked", "disconnecting"})',
        'ENDS_ALL: Final = frozenset({"disconnecting"})',
    ),
    _mistake(
        "of two tabs of one title the first is meant",
        "the-exact-tab", "a title that two tabs have",
        "reading",
        "        if len(found) == 1:\n            return Chosen(",
        "        if found:\n            return Chosen(",
    ),
    _mistake(
        "of several browsers the first is asked",
        "the-browser-that-owns-the-window", "two profiles of one process",
        "reading",
        "        if len(open_bridges) > 1:\n", "        if len(open_bridges) > 99:\n",
    ),
    _mistake(
        "any browser is asked for the window in front",
        "the-browser-that-owns-the-window", "the other one is in front",
        "reading",
        "open_bridges = [bridge for bridge in open_bridges if bridge.endpoint.browser == window.pid]",
        "open_bridges = open_bridges[:1]",
    ),
    _mistake(
        "the rectangle is taken once before the click",
        "a-real-click", "the rectangle moves meanwhile",
        "acting",
        "        change = moved(rectangle, again)\n", "        change, again = None, rectangle\n",
    ),
    _mistake(
        "a click goes to the window in front, whose ever it is",
        "a-real-click", "another application comes to the front",
        "acting",
        "if front is None or front.pid != page.bridge.endpoint.browser:", "if front is None:",
    ),
    _mistake(
        "a click counts as done without an effect",
        "a-real-click", "the click does nothing",
        "acting",
        "        effect = effects(before, after)\n",
        '        effect = effects(before, after) or ("content",)\n',
    ),
    _mistake(
        "a click that nobody confirms was not made",
        "a-real-click", "nobody says whether it was clicked",
        "acting",
        'raise BridgeError("no_result", f"the click: {error}", dispatched=True) from None',
        'raise BridgeError("no_result", f"the click: {error}", dispatched=False) from None',
    ),
    _mistake(
        "page zoom is not in the way of a click",
        "a-real-click", "the page is zoomed and the display has pixels",
        "mapping",
        '    zoom = rectangle["zoom"]\n', "    zoom = 1\n",
    ),
    _mistake(
        "an action whose answer is lost was not dispatched",
        "deadlines-and-taking-back", "an action whose answer is lost",
        "relay",
        "dispatched = True if pending.verb in ACTING else None", "dispatched = None",
    ),
    _mistake(
        "a later server takes the page from a living one",
        "several-servers", "",
        "claim",
        '    "a living server": "refuse",\n', '    "a living server": "take over",\n',
    ),
    _mistake(
        "what one read brings is one message",
        "messages-of-every-form", "several messages come at once",
        "framing",
        "            yield parsed(body)\n", "            self._open.clear()\n            yield parsed(body)\n",
    ),
    _mistake(
        "any extension may start the host",
        "who-starts-the-host", "another extension",
        "process",
        "if not argv or argv[0] != ORIGIN:", 'if not argv or not argv[0].startswith("chrome-extension://"):',
    ),
)  # fmt: skip
