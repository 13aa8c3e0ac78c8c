"""Wrong logic of Safari by its MCP server, and of consent: mistakes that a driver of tabs may well make."""
from __future__ import annotations

from harness.campaign.wrong_logic import Mistake

SCENARIOS = "safari-mcp/"


def _mistake(name: str, scenario: str, case: str, file: str, old: str, new: str, back: str = "model") -> Mistake:
    return Mistake(name, f"{SCENARIOS}{scenario}.yaml", case, f"stack/{file}", old, new, back)


MISTAKES: tuple[Mistake, ...] = (
    _mistake(
        "a change without an answer has not happened",
        "one-interaction-at-a-time", "the answer is lost",
        "safari_mcp/operation.py",
        'is a refusal."""\n\n        def last_look() -> None:\n            self.check_permit()\n'
        '            self.outcome = "unknown"',
        'is a refusal."""\n\n        def last_look() -> None:\n            self.check_permit()',
    ),
    _mistake(
        "an interaction that failed is sent again",
        "what-failed-is-not-tried-again", "the button is gone when it is clicked",
        "safari_mcp/acting.py",
        "    _check_done(operation, texts)\n    url = await",
        "    try:\n        _check_done(operation, texts)\n    except OfficialError:\n"
        '        texts = await operation.change(pinned.INTERACT, {"interactions": [dict(action)]})\n'
        "        _check_done(operation, texts)\n    url = await",
    ),
    _mistake(
        "a new tab that no answer names is looked for in the list",
        "a-load-that-does-not-end-where-it-should", "the answer to create_tab names no tab",
        "safari_mcp/loading.py",
        "        raise ProtocolError(UNIDENTIFIED, "
        'f"a tab may be there that no answer names: {error.seen}") from error\n',
        "        handle = (await operation.tabs())[-1].handle\n",
    ),
    _mistake(
        "a handle is enough, of whatever epoch",
        "a-target-is-of-its-epoch", "a new driver gives out the same handle",
        "safari_mcp/drivers.py",
        "if target.epoch != self.epoch:", "if self.epoch is None:",
    ),
    _mistake(
        "a page of the same site is the page that was asked for",
        "a-load-that-does-not-end-where-it-should", "the page redirects",
        "safari_mcp/loading.py",
        "                await _still_there(operation, target, url)\n                return\n        elif",
        "                await _still_there(operation, target, url)\n                return\n"
        '        elif answer.url.split("/")[2:3] == url.split("/")[2:3]:\n            return\n        elif',
    ),
    _mistake(
        "a page that still loads counts as loaded",
        "a-load-that-does-not-end-where-it-should", "the page is loaded after 12.1 s",
        "safari_mcp/loading.py",
        'if answer.data.get("state") == LOADED:', 'if answer.data.get("state") in (LOADED, "interactive", "loading"):',
    ),
    _mistake(
        "the time of a load begins with its first look",
        "a-load-that-does-not-end-where-it-should", "the page is loaded after 12.1 s",
        "safari_mcp/loading.py",
        "    await operation.select(target)\n    seen =",
        "    await operation.select(target)\n    until = load_deadline(operation)\n    seen =",
    ),
    _mistake(
        "an answer without the two counts is a success",
        "an-answer-of-another-shape-is-no-success", "an interaction that is answered without counts",
        "safari_mcp/acting.py",
        '    requested = told.get("requested") if isinstance(told, dict) else None\n'
        '    successful = told.get("successful") if isinstance(told, dict) else None\n',
        '    requested = told.get("requested", 1) if isinstance(told, dict) else None\n'
        '    successful = told.get("successful", 1) if isinstance(told, dict) else None\n',
    ),
    _mistake(
        "a number that is true or false is a count",
        "an-answer-of-another-shape-is-no-success", "an interaction with a count that is a flag",
        "safari_mcp/acting.py",
        "if type(requested) is not int or type(successful) is not int or requested",
        "if not isinstance(requested, int) or not isinstance(successful, int) or requested",
    ),
    _mistake(
        "another tab is taken for one that is no longer listed",
        "a-target-is-of-its-epoch", "the user has closed the tab",
        "safari_mcp/operation.py",
        "        for tab in await self.tabs():\n"
        "            if tab.handle == target.handle:\n                return tab\n",
        "        tabs = await self.tabs()\n"
        "        for tab in (*(tab for tab in tabs if tab.handle == target.handle), *tabs):\n"
        "            return tab\n",
    ),
    _mistake(
        "a search closes the newest tab",
        "search-the-web", "the tab is gone before it can be closed",
        "safari_mcp/searching.py",
        "                if all(tab.handle != target.handle for tab in await self._operation.tabs()):\n"
        '                    self.cleanup = "already-absent"\n'
        "                    return\n"
        '                await self._operation.change(pinned.CLOSE_TAB, {"handle": target.handle})\n',
        "                newest = (await self._operation.tabs())[-1]\n"
        '                await self._operation.change(pinned.CLOSE_TAB, {"handle": newest.handle})\n',
    ),
    _mistake(
        "a search that is given up leaves its tab",
        "search-the-web", "the search is taken back",
        "safari_mcp/searching.py",
        "        except anyio.get_cancelled_exc_class():\n            await self._clean_up()\n            raise\n", "",
    ),
    _mistake(
        "leave is looked at when it is given, and not when the action is sent",
        "what-begins-and-ends-a-task", "the task ends while the approved action waits its turn",
        "consent/gate.py",
        "        if self.grants.generation != self.generation:\n", "        if self.generation < 0:\n",
    ),
    _mistake(
        "an approval within other words is one",
        "the-judge-decides-on-each-action", "it says so in prose",
        "consent/judge.py",
        "    try:\n        said = json.loads(text, object_pairs_hook=_once)\n",
        '    if "approve" in text:\n        return True, "the judge approved"\n'
        "    try:\n        said = json.loads(text, object_pairs_hook=_once)\n",
    ),
    _mistake(
        "a decision with something beside it is one",
        "the-judge-decides-on-each-action", "it adds a key",
        "consent/judge.py",
        "    if said == APPROVAL:\n", '    if isinstance(said, dict) and said.get("decision") == "approve":\n',
    ),
    _mistake(
        "what stands twice counts as it stands last",
        "the-judge-decides-on-each-action", "it says it twice",
        "consent/judge.py",
        "    if len(dict(pairs)) != len(pairs):\n", "    if not pairs:\n",
    ),
    _mistake(
        "of two choices the first is the reply",
        "the-judge-decides-on-each-action", "it answers with two choices",
        "consent/styles.py",
        "whole = len(choices) == 1 and only", "whole = only",
    ),
    _mistake(
        "what a judge allowed once is allowed for the task",
        "the-judge-decides-on-each-action", "the second is denied",
        "consent/gate.py",
        '        leave = Leave(grants, generation, {"by": "judge", "usage": dict(decision.usage)})\n',
        "        allowed = self.__dict__.setdefault('allowed', set())\n"
        "        if decision.approved:\n"
        "            allowed.add(generation)\n"
        "        decision = judge.Decision(generation in allowed, decision.why, decision.usage)\n"
        '        leave = Leave(grants, generation, {"by": "judge", "usage": dict(decision.usage)})\n',
    ),
    _mistake(
        "a page program finds what nobody sees",
        "what-a-page-program-sees", "",
        "safari_mcp/programs/find.js",
        "    if (!visible(element)) continue;\n", "    if (element.hidden) continue;\n", "engine",
    ),
    _mistake(
        "a field is named by what was typed into it",
        "what-a-page-program-sees", "",
        "safari_mcp/programs/find.js",
        "    if (label || NAMELESS.test(tagOf(element))) return label;\n",
        "    if (label || NAMELESS.test(tagOf(element))) return label || element.value;\n", "engine",
    ),
    _mistake(
        "a result's address is the provider's redirect",
        "search-the-web", "",
        "safari_mcp/programs/search.js",
        "if (first === null || !PROVIDER.test(first.hostname)) return first;", "if (first) return first;", "engine",
    ),
)  # fmt: skip
