"""Wrong logic of Safari by Apple Events: mistakes of the loop that decides, of the session, the bridge and the page."""
from __future__ import annotations

from harness.campaign.wrong_logic import Mistake

SCENARIOS = "safari-jxa/"


def _mistake(name: str, scenario: str, case: str, file: str, old: str, new: str, back: str = "model") -> Mistake:
    return Mistake(name, f"{SCENARIOS}{scenario}.yaml", case, f"stack/{file}", old, new, back)


MISTAKES: tuple[Mistake, ...] = (
    _mistake(
        "argmax unchecked: a choice counts though another option is more probable",
        "a-model-that-fails-moves-nothing", "a choice that is not the most probable",
        "decide/answer.py",
        "if top - probabilities[choice] > TOP_WITHIN:", "if probabilities[choice] <= 0:",
    ),
    _mistake(
        "sum unchecked: probabilities of any sum are a distribution",
        "a-model-that-fails-moves-nothing", "the sum is wrong",
        "decide/answer.py",
        "if abs(total - 1) > SUM_WITHIN:", "if total <= 0:",
    ),
    _mistake(
        "an unnamed head read: where the head of the chosen operation is missing, another one is taken",
        "a-model-that-fails-moves-nothing", "the head of the chosen operation is missing",
        "decide/answer.py",
        "    target, confidence = _chosen(answers, operation.head, (*operation.targets, NONE))\n",
        "    target, confidence = NONE, 1.0\n"
        "    for each in (operation, *space.operations.values()):\n"
        "        if each.head in answers:\n"
        "            target, confidence = _chosen(answers, each.head, (*each.targets, NONE))\n"
        "            operation = each\n"
        "            break\n",
    ),
    _mistake(
        "select options merged into one target",
        "a-decision-is-one-observed-action", "",
        "decide/space.py",
        """f"{shown['control']}:{action['option']}" if name == "SELECT" else str(shown["control"])""",
        """str(shown["control"])""",
    ),
    _mistake(
        "folding of actions by node undone: each action is a control of its own",
        "a-decision-is-one-observed-action", "",
        "decide/space.py",
        'controls.setdefault(action["node"], _control', 'controls.setdefault(action["id"], _control',
    ),
    _mistake(
        "a mutation repeated after its runtime vanished",
        "a-lost-reply-is-resolved", "the bridge dies after the effect",
        "safari_jxa/session.py",
        '        if reply is None or LOST[str(reply["status"])]:\n',
        "        if reply is None and not self._bridge.usable:\n"
        "            self._bridge = await self._again()\n"
        '            reply = await self._dispatch({**argument, "nonce": self._host.token(NONCE_CHARACTERS)})\n'
        '        if reply is None or LOST[str(reply["status"])]:\n',
    ),
    _mistake(
        "what can't be looked up has not run",
        "a-lost-reply-is-resolved", "neither the reply nor an answer to the look-ups comes",
        "safari_jxa/delivery.py",
        "            return UNKNOWN  # another document: what it did there can't be asked of this one\n"
        "    return UNKNOWN",
        "            return UNKNOWN  # another document: what it did there can't be asked of this one\n"
        "    return Delivery(Outcome.NEVER_RAN, {})",
    ),
    _mistake(
        "a document that is another one has no record, so the action has not run",
        "a-lost-reply-is-resolved", "the document is gone before anybody could ask",
        "safari_jxa/delivery.py",
        "            return UNKNOWN  # another document",
        "            return Delivery(Outcome.NEVER_RAN, {})  # another document",
    ),
    _mistake(
        "the bridge says that nothing was sent until Safari has answered",
        "a-lost-reply-is-resolved", "Safari says that the event timed out, and runs it all the same",
        "safari_jxa/bridge.js",
        "    sent = mutates;\n    return {tabs: seen.tabs, visible: seen.visible, value: evaluate(params)};",
        "    const value = evaluate(params);\n    sent = mutates;\n"
        "    return {tabs: seen.tabs, visible: seen.visible, value};",
    ),
    _mistake(
        "the first target stands for none of the targets",
        "a-decision-is-one-observed-action", "none of the targets",
        "decide/answer.py",
        "        return Decision(name, None, sure, 0.0, None)\n",
        "        return Decision(name, next(iter(operation.targets.values())), sure, confidence, None)\n",
    ),
    _mistake(
        "of two literals that differ the first is typed",
        "a-decision-is-one-observed-action", "a fill with two literals that differ",
        "decide/leg.py",
        "if len(values) != 1:", "if not values:",
    ),
    _mistake(
        "how sure a decision is depends on the operation alone",
        "how-sure-is-sure-enough", "",
        "decide/answer.py",
        "return self.sure if self.target is None else min(self.sure, self.target)", "return self.sure",
    ),
    _mistake(
        "a DONE is believed whatever the page shows",
        "done-is-disputed", "",
        "decide/rules.py",
        "decision.visible is not None and decision.visible <= CONFIDENT_NO", "False",
    ),
    _mistake(
        "a page that moved while the model thought is acted on as it is now",
        "the-page-moves-while-the-model-thinks", "the target changes",
        "decide/leg.py",
        "            acted = await self.driver.act(action, page, text)\n",
        "            if watched is not None:\n"
        '                now = [each for each in watched.actions if each["id"] == action["id"]]\n'
        "                action, page = (now[0], watched) if now else (action, page)\n"
        "            acted = await self.driver.act(action, page, text)\n",
    ),
    _mistake(
        "tabs that a lent window gains or loses are nobody's business",
        "what-was-lent-is-lost-when-it-changes", "it has gained a tab",
        "safari_jxa/scope.py",
        "        if tabs != self.tabs:\n"
        "            self.met(Event.GAINED_TAB if tabs > self.tabs else Event.LOST_TAB)\n",
        "        if tabs != self.tabs:\n",
    ),
    _mistake(
        "a lent window is closed like one's own",
        "an-action-lands-once", "",
        "safari_jxa/scope.py",
        "(Held.LENT, State.LIVE): AtClose.NEVER", "(Held.LENT, State.LIVE): AtClose.CLOSES",
    ),
    _mistake(
        "any tab that is visible is the session's",
        "what-was-lent-is-lost-when-it-changes", "it shows another tab",
        "safari_jxa/bridge.js",
        "return seen.visible.includes(params.position);", "return seen.visible.length > 0;",
    ),
    _mistake(
        "the window in front is the one that was made",
        "what-has-harmed-others",
        "the new window is not in front, since the user raised another (chenglou/pretext 257)",
        "safari_jxa/bridge.js",
        "return ours.length === 1 ? {window: ours[0]}",
        "return ours.length === 1 ? {window: application.windows.id()[0]}",
    ),
    _mistake(
        "a query string makes another page",
        "an-action-on-a-page-that-moved", "only the query has changed",
        "safari_jxa/snapshot.js",
        "location.origin + location.pathname;", "location.origin + location.pathname + location.search;", "engine",
    ),
    _mistake(
        "an element that was rendered anew at its place is the one that was seen",
        "an-action-on-a-page-that-moved", "the target was rendered anew",
        "safari_jxa/page.js",
        "    return el && el.isConnected && el.ownerDocument === document ? el : null;\n",
        "    return el && (el.isConnected ? el : el.id && document.getElementById(el.id) || el);\n", "engine",
    ),
)  # fmt: skip
