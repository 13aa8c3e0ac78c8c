"""Wrong logic of Computer Use: each one a mistake that somebody has made, or may well make, with this protocol."""
from __future__ import annotations

from harness.campaign.wrong_logic import Mistake

STACK = "stack/computer_use/"
SCENARIOS = "computer-use/"


def _mistake(name: str, scenario: str, case: str, file: str, old: str, new: str) -> Mistake:
    return Mistake(name, f"{SCENARIOS}{scenario}.yaml", case, f"{STACK}{file}.py", old, new)


MISTAKES: tuple[Mistake, ...] = (
    _mistake(
        "a part of a line is enough of a code signature",
        "signatures-are-checked-first", "a longer team that contains the right one",
        "signatures",
        'if seen != [wanted.encode("ascii")]:', 'if not any(wanted.encode("ascii") in value for value in seen):',
    ),
    _mistake(
        "the other application's number on a line counts as a change of focus",
        "whether-the-front-application-stayed", "another application comes to the front and goes again",
        "focus", """rb'"LSASN"=('""", """rb'"LS(?:Other)?ASN"=('""",
    ),
    _mistake(
        "a question that can't be put is accepted",
        "a-question-to-the-user", "the client can't be asked in this way",
        "elicitation",
        '{"action": "cancel"}', '{"action": "accept", "content": {}}',
    ),
    _mistake(
        "a call that failed is made again",
        "small-differences-count", "the answer to a click is lost",
        "driver",
        "                await call.run()\n",
        "                await call.run()\n"
        "                if not call.succeeded and call._sequence is not None:\n"
        "                    await call.finish()\n"
        "                    call = Call(self._host, self._settings, self._pool, tool, arguments, caller)\n"
        "                    await call.run()\n",
    ),
    _mistake(
        "a call without an answer is reported as not dispatched",
        "deadlines-and-bounds", "the result of a call never comes",
        "call",
        'error.official is not None else "unknown"', 'error.official is not None else "refused"',
    ),
    _mistake(
        "the inventory is compared by names alone",
        "an-inventory-that-drifts", "a schema has one argument more",
        "inventory",
        'for place in _unlike(schema, wanted, "/inputSchema"))', "for place in ())",
    ),
    _mistake(
        "the policy that the thread says it has is not looked at",
        "a-thread-that-is-not-what-was-asked-for", "a thread that does not say what its policy is",
        "attestation", "if not _same(seen, expected):", 'if code != "policy_downgraded" and not _same(seen, expected):',
    ),
    _mistake(
        "what the thread says is compared without regard to case and type",
        "small-differences-count", "a policy in other letters",
        "attestation",
        "return type(seen) is type(wanted) and seen == wanted",
        "return str(seen).casefold() == str(wanted).casefold()",
    ),
    _mistake(
        "-10005 always means a locked screen",
        "official-errors", "-10005 as a result, for a locked screen that is not named",
        "official",
        "    text = official.text.casefold()\n",
        "    text = official.text.casefold()\n"
        "    if number(official) == -10005:\n"
        "        return LOCKED_MEANING\n",
    ),
    _mistake(
        "only the first process of the tree is signalled",
        "small-differences-count", "the app-server and the helper both heed nothing but being killed",
        "teardown",
        "for pid in pids:", "for pid in list(pids)[:1]:",
    ),
    _mistake(
        "a result with isError counts as done",
        "official-errors", "",
        "call",
        'self._is_error = result.get("isError") is True', "self._is_error = False",
    ),
    _mistake(
        "a reply is taken by its id without its type",
        "small-differences-count", "a reply whose id is a number in place of the text",
        "protocol",
        "message.id != self._in_flight", "str(message.id) != self._in_flight",
    ),
    _mistake(
        "a notice that nobody knows is overlooked",
        "small-differences-count", "a notice that nobody knows, before a call",
        "protocol",
        "self.odd = ProtocolError(UNEXPECTED, _shown(message, kind))", "pass",
    ),
    _mistake(
        "a model turn at the end is not looked for",
        "a-model-turn-is-fatal", "a turn comes while the app-server is ending",
        "protocol",
        "frozenset(Kind) - {Kind.MODEL}", "frozenset(Kind)",
    ),
    _mistake(
        "time passes for the call while the user is asked",
        "a-question-to-the-user", "the user takes longer than the call's deadline",
        "sequence",
        "        self.scope.deadline = math.inf\n", "",
    ),
    _mistake(
        "the caller's spelling of an application is passed on",
        "an-application-has-one-name", "",
        "call",
        'prepared["app"] = self._evidence.app = ', "self._evidence.app = ",
    ),
    _mistake(
        "of two applications of one name the first is taken",
        "an-application-has-one-name", "",
        "applications",
        "if len(identifiers) > 1:", "if len(identifiers) > 2:",
    ),
    _mistake(
        "keys are looked up as they are spelled",
        "keys-in-the-official-form", "",
        "keys",
        "ALIASES.get(text.casefold(), text)", "ALIASES.get(text, text)",
    ),
    _mistake(
        "the status says that the programs verify whatever they do",
        "status-says-what-there-is", "a binary that does not verify",
        "driver",
        "all(verdict == VERIFIED for verdict in binaries.values())", "True",
    ),
    _mistake(
        "every tool is listed from the first moment",
        "tools-are-disclosed-as-they-are-needed", "",
        "driver",
        "self._disclosed = not settings.progressive", "self._disclosed = True",
    ),
    _mistake(
        "an unfinished cleanup counts as verified",
        "a-cleanup-that-can-not-be-verified", "a child is orphaned by an early exit",
        "call",
        "evidence.cleanup_verified, evidence.problems = not sequence.problems, sequence.problems",
        "evidence.cleanup_verified, evidence.problems = True, ()",
    ),
)  # fmt: skip
