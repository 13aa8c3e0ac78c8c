"""Which tables of a stack are made of guards: their rows are taken out one at a time, like an `if` that refuses.

Separate as data, and complete: every constant of a stack that is a display of at least two rows stands here, as a
table of guards or with the reason why it is none, so that no rule can hide in a table (a test compares).
"""
from __future__ import annotations

from collections.abc import Mapping

GUARD_TABLES: Mapping[str, tuple[str, ...]] = {
    "stack/chrome/claim.py": ("RULINGS",),
    "stack/chrome/desktop.py": ("UNSAID",),
    "stack/chrome/driver.py": ("ENDS_CLAIMS",),
    "stack/chrome/mapping.py": ("STILL",),
    "stack/chrome/relay.py": ("ACTING",),
    "stack/chrome/snapshots.py": ("ENDS_TABS", "ENDS_ALL"),
    "stack/computer_use/attestation.py": ("ROWS",),
    "stack/computer_use/audit.py": ("NUMBERS", "FLAGS", "VERSIONS", "OUTCOMES"),
    "stack/computer_use/driver.py": ("ENDS_SEQUENCES",),
    "stack/computer_use/elicitation.py": ("ACTIONS", "MODES"),
    "stack/computer_use/inventory.py": ("ALIVE",),
    "stack/computer_use/launch.py": ("OVERRIDES",),
    "stack/computer_use/official.py": ("WORDS", "NUMBERS"),
    "stack/computer_use/pinned.py": ("PINNED", "DISCLOSED_FIRST"),
    "stack/computer_use/protocol.py": (
        "SENDS", "REPLIED", "_EARLY", "_REPLY", "_THREAD", "_AFTER_CALL", "LEGAL", "FATAL", "NOTICES",
        "MODEL_ACTIVITY", "HELPER_STATUS",
    ),
    "stack/computer_use/settings.py": ("IDENTIFIERS",),
    "stack/computer_use/signatures.py": ("VERIFY",),
    "stack/decide/port.py": ("MOVED",),
    "stack/decide/rules.py": ("CHOICES",),
    "stack/safari_jxa/driver.py": ("ENDS_SESSIONS",),
    "stack/safari_jxa/errors.py": ("WINDOW_GONE", "SAFARI_GONE"),
    "stack/safari_jxa/opening.py": ("ERROR_PAGES",),
    "stack/safari_jxa/page.py": ("ELEMENT_FIELDS",),
    "stack/safari_jxa/scope.py": ("NUMBERS",),
    "stack/safari_mcp/driver.py": ("ENDS_SESSIONS",),
    "stack/safari_mcp/gate.py": ("RESTRICTED",),
    "stack/safari_mcp/listing.py": ("_NUMBER", "_EITHER"),
    "stack/safari_mcp/pinned.py": ("REQUIRED",),
    "stack/safari_mcp/searching.py": ("LENGTHS",),
}  # fmt: skip
"""File -> its tables of guards."""

NO_GUARDS: Mapping[str, Mapping[str, str]] = {
    "stack/chrome/acting.py": {
        "ROUTES": "the words of the contract, for a test",
        "SEEN": "each row is one more change that counts as an effect",
    },
    "stack/chrome/bridge.py": {"GONE": "a missing row is an error at once"},
    "stack/chrome/endpoint.py": {
        "FIELDS": "compared whole: a missing row refuses every file",
        "NOTICE_FIELDS": "compared whole: a missing row refuses every file",
    },
    "stack/chrome/ipc.py": {
        "_GREETINGS": "part of a schema: a missing row is an error at once",
        "FROM_SERVER": "each row is one more message that is understood",
        "TO_SERVER": "each row is one more message that is understood",
    },
    "stack/chrome/process.py": {"GONE": "a missing row is an error at once", "OUR_HELLO": "one message"},
    "stack/chrome/reasons.py": {"REASONS": "each row is one more reason that is understood"},
    "stack/chrome/registration.py": {
        "FOLDERS": "each row is one more browser that is known",
        "SYSTEM_FOLDERS": "each row is one more place that is looked at",
        "REGISTRY": "each row is one more browser that is known",
        "CAUSES": "what a user is told; the checks stand beside it",
        "OTHER_CAUSES": "what a user is told; the checks stand beside it",
    },
    "stack/chrome/schema.py": {
        "KEYWORDS": "a missing row refuses the schema when it is loaded",
        "TYPES": "a missing row is an error at once",
        "FROM_EXTENSION": "each row is one more message that is understood",
    },
    "stack/chrome/served.py": {
        "TOOLS": "each row is one more tool",
        "VERBS": "each row is one more tool that acts",
        "_ACTS": "hints that a client shows",
        "_READS": "hints that a client shows",
        "_NAME": "part of a schema: a missing row refuses more",
        "_NODE": "part of a schema: a missing row refuses more",
        "_ROLE": "part of a schema: a missing row refuses more",
        "_SNAPSHOT": "part of a schema: a missing row refuses more",
        "_VALUE": "part of a schema: a missing row refuses more",
    },
    "stack/chrome/settings.py": {"NUMBERS": "each row is one more setting that is understood"},
    "stack/chrome/snapshots.py": {
        "OWN_NAMES": "names that are let through: a missing row hides one more",
        "PREFIX": "a missing row is an error at once",
    },
    "stack/computer_use/focus.py": {"LISTEN": "the words of one command line"},
    "stack/computer_use/inventory.py": {"_UNORDERED": "allows an order, refuses nothing"},
    "stack/computer_use/keys.py": {
        "ALIASES": "spellings: a missing one is passed on as it is, and the helper decides",
        "OFFICIAL": "names that are passed on as they are, as unknown ones are",
    },
    "stack/computer_use/launch.py": {"PROGRAM_ENVIRONMENT": "values of an environment that is a constant"},
    "stack/computer_use/pinned.py": {
        "_APP": "one property of a schema, compared whole in PINNED",
        "_SELECT_TEXT_APP": "one property of a schema, compared whole in PINNED",
    },
    "stack/computer_use/programs.py": {
        "GONE": "a pipe in memory ends in one way, and the two others are those of a real one",
    },
    "stack/computer_use/session.py": {"SERVER_NAME_SINCE": "one version number"},
    "stack/computer_use/signatures.py": {"DETAILS": "the words of one command line"},
    "stack/consent/grants.py": {"ENDINGS": "an event without a row ends everything: a missing row allows less"},
    "stack/consent/settings.py": {"_NEEDED": "names of members; what is not among them is refused"},
    "stack/consent/styles.py": {"STYLES": "each row is one more style that is understood"},
    "stack/decide/schema.py": {"RUN": "shown to clients; settings.py is what reads a run strictly"},
    "stack/decide/leg.py": {
        "ENDS": "a row for each end: a missing one is an error at once",
        "IN_PLAN": "a row for each pair: a missing one is an error at once",
    },
    "stack/decide/model.py": {"BUSY": "each row is one more status after which it is asked again"},
    "stack/decide/rules.py": {
        "RULES": "a row for each input: a missing one is an error at once",
        "TAGS": "words of the transcript; a missing one is an error at once",
    },
    "stack/decide/settings.py": {
        "PAUSES_MS": "lengths of pauses, whose last one stands for all that come after",
        "_OPTIONS": "each row is one more option that is understood",
        "_MODEL": "each row is one more option that is understood",
    },
    "stack/decide/space.py": {
        "AIMED": "each row is one more kind that may be chosen",
        "SAID": "words for a head of the request",
    },
    "stack/safari_jxa/action.py": {
        "DIRECTIONS": "each row is one more action that has a direction",
        "TAKES_TEXT": "a row for each kind: a missing one is an error at once",
    },
    "stack/safari_jxa/bridge.py": {
        "ENVIRONMENT": "values of an environment that is a constant",
        "GONE": "a missing row is an error at once",
    },
    "stack/safari_jxa/catalogue.py": {
        "_READS": "hints that a client shows",
        "_ACTS": "hints that a client shows",
        "_ACTION": "part of a schema: a missing row refuses more",
        "_OBSERVATION": "part of a schema, which the session looks up itself",
        "_NUMBERS": "part of a schema: bounds are read by their own rule",
        "TOOLS": "each row is one more tool",
        "_TYPES": "each row is one more type that is understood",
    },
    "stack/safari_jxa/delivery.py": {
        "PHASES": "what is in no row is unknown",
        "LOST": "a row for each status: a missing one is an error at once",
    },
    "stack/safari_jxa/driver.py": {"MOVED": "words for both answers", "CALLS": "each row is one more tool"},
    "stack/safari_jxa/errors.py": {
        "NOT_RUN": "what is in no row is looked up in the page",
        "PARTS": "each row is one more part that is understood",
        "REASONS": "each row is one more reason that is understood",
        "NUMBERS": "each row names one error more closely; all refuse",
    },
    "stack/safari_jxa/opening.py": {
        "SCHEMES": "each row is one more scheme that is accepted",
        "USABLE": "each row is one more state in which a page is used",
    },
    "stack/safari_jxa/page.py": {
        "STATUSES": "each row is one more answer that is understood",
        "FIELDS": "a row for each kind of action: without it the kind is not understood",
    },
    "stack/session/arguments.py": {"COMMANDS": "each row is one more command"},
    "stack/session/commands.py": {
        "BEGINS": "each row is one more command that begins a session",
        "ALONE": "each row is one more command that needs no session",
        "COMMANDS": "each row is one more command",
    },
    "stack/session/exits.py": {"EXITS": "a code for each error: a missing one is an error at once"},
    "stack/session/server.py": {
        "OPENS": "each row is one more call that opens a window",
        "CALLS": "each row is one more call that is understood",
    },
    "stack/session/stack.py": {
        "_RUN": "part of a schema: a missing row refuses more",
        "_COMMAND": "part of a schema: a missing row refuses more",
        "_ACTS": "hints that a client shows",
        "TOOLS": "each row is one more tool",
    },
    "stack/session/wire.py": {
        "ENDS": "a missing row is an error at once",
        "_OUTCOMES": "each row is one more outcome that is understood",
    },
    "stack/safari_jxa/scope.py": {
        "TRANSITIONS": "a row for each pair: a missing one is an error at once",
        "CLOSING": "a row for each pair: a missing one is an error at once",
    },
    "stack/safari_jxa/windows.py": {"SIDES": "each row is one more side that is accepted"},
    "stack/safari_loop/stack.py": {"_TARGET": "part of a schema: a missing row refuses more"},
    "stack/safari_mcp/addresses.py": {"PORTS": "each row is one more scheme that is understood"},
    "stack/safari_mcp/arguments.py": {
        "KINDS": "each row is one more kind of value that is understood",
        "KNOWN": "the words of the stack's own schemas, for a test",
    },
    "stack/safari_mcp/capabilities.py": {"_UNORDERED": "allows an order, refuses nothing"},
    "stack/safari_mcp/connection.py": {
        "ENVIRONMENT": "values of an environment that is a constant",
        "ACCEPTED": "each row is one more version that is accepted",
        "CLIENT": "what the stack calls itself",
    },
    "stack/safari_mcp/driver.py": {"ROWS": "each row is one more tool"},
    "stack/safari_mcp/listing.py": {
        "_TARGET": "part of a schema: a missing row refuses more",
        "ACTIONS": "each row is one more type of action",
        "ANNOTATIONS": "hints that a client shows",
        "_QUERY": "part of a schema: a missing row refuses more",
    },
    "stack/safari_mcp/loading.py": {"_WEB": "tells one code from another; both refuse"},
    "stack/safari_mcp/page_programs.py": {"NAMES": "the stack's own programs"},
    "stack/safari_mcp/pinned.py": {
        "PINNED": "each row is one more tool that may be called",
        "SENT": "each row is one more tool that may be called",
    },
    "stack/safari_mcp/searching.py": {
        "REGIONS": "each row is one more value that is accepted",
        "TIMES": "each row is one more value that is accepted",
        "_LEFT": "an answer for each end of a cleanup: a missing row is an error at once",
    },
    "stack/session/deciding.py": {"NOTHING_MOVED": "tells one exit code from another; both say that it is not done"},
}
"""File -> table -> why its rows are no guards."""

_MEETING = "both ends of the local socket are the stack's own, and nothing of a run stands between them"
_FAKE = "the fake extension never says that; the fault that would make it say so is none that a stream can have"
_SYSTEM = "the system of a run always can"
_CLOSED = "a call after the stack's end; a run ends its stack last"
_SETTINGS = "settings of a run: with any that it refuses there is no run"
_LYING = "what only a page says that has changed its scripts; the model of a page runs none"
_OTHER = "what only another than ours says on the session's socket; in a run both ends are ours"
_DIED = "a server that has died; in a virtual run servers are tasks, which take with them what is theirs"
UNRUN: Mapping[str, str] = {
    "stack/chrome/__main__.py": "the program that a browser starts; a virtual run calls what it runs",
    "stack/chrome/commands.py": "the command line of the registration; a virtual run has none",
    "stack/chrome/files.py": "the real files of the user's home; a virtual run has none",
    "stack/chrome/acting.py#Actor.act:raise:2": "the fake system offers nothing but to activate",
    "stack/chrome/acting.py#Actor._same_place": _FAKE,
    "stack/chrome/acting.py#Actor._word:raise:1": "words of the fake's OCR are a setting, and stay",
    "stack/chrome/bridge.py#Bridge.greet": _MEETING,
    "stack/chrome/bridge.py#Bridge._read:refusal:2": _MEETING,
    "stack/chrome/bridge.py#Bridge._take:raise:1": _MEETING,
    "stack/chrome/bridge.py#Bridge.request:raise:2": _MEETING,
    "stack/chrome/bridges.py#Bridges.failure:refusal:1": _SYSTEM + " list its processes",
    "stack/chrome/desktop.py#Desktop._talk:raise:1": "a run has every program that its system uses",
    "stack/chrome/driver.py#Chrome._run:raise:1": _CLOSED,
    "stack/chrome/endpoint.py#_fields:refusal:1": _MEETING,
    "stack/chrome/ipc.py#kind_of": _MEETING,
    "stack/chrome/ipc.py#Lines.feed": _MEETING,
    "stack/chrome/process.py#NativeHost.run:raise:1": _SYSTEM + " listen",
    "stack/chrome/process.py#NativeHost._hello:raise:1": "the extension, whose wait is as long, closes the port first",
    "stack/chrome/process.py#NativeHost._hello:raise:5": "a browser starts our host for our extension alone",
    "stack/chrome/process.py#NativeHost._refusal_of:refusal:1": _SYSTEM + " say whose a connection is",
    "stack/chrome/process.py#_first:raise:2": _MEETING,
    "stack/chrome/schema.py#_known:raise:1": "looked at when the stack's own schema is loaded",
    "stack/consent/options.py": "reads the server's command line; a virtual run has none",
    "stack/consent/served.py": "what the server puts around a stack; a virtual run calls the stack itself",
    "stack/computer_use/driver.py#ComputerUse._check_open": _CLOSED,
    "stack/computer_use/driver.py#ComputerUse._after_the_end": _CLOSED,
    "stack/computer_use/programs.py#pipes_of": "a host that breaks its port; no run has one",
    "stack/chrome/settings.py#from_sheet": _SETTINGS,
    "stack/computer_use/session.py#Session._in_turn": "two writes at once, of which the first fills the pipe",
    "stack/computer_use/settings.py#_row": _SETTINGS,
    "stack/computer_use/settings.py#from_sheet": _SETTINGS,
    "stack/computer_use/settings.py#Deadlines.__post_init__": _SETTINGS,
    "stack/consent/settings.py#from_sheet": _SETTINGS,
    "stack/consent/settings.py#judge_from": _SETTINGS,
    "stack/decide/settings.py#model_from": _SETTINGS,
    "stack/safari_jxa/action.py#candidate:raise:1": _LYING,
    "stack/safari_jxa/driver.py#SafariJxa._run:raise:1": _CLOSED,
    "stack/safari_jxa/opening.py#Opening._bind:refusal:1": _LYING,
    "stack/safari_jxa/page.py#_action": _LYING,
    "stack/safari_jxa/page.py#_no_constant": _LYING,
    "stack/safari_jxa/page.py#observation:refusal:1": _LYING,
    "stack/safari_jxa/page.py#observation:refusal:2": _LYING,
    "stack/safari_jxa/page.py#observation:refusal:3": _LYING,
    "stack/safari_jxa/page.py#observation:refusal:4": _LYING,
    "stack/safari_jxa/page.py#observation:bound:2": _LYING,
    "stack/safari_jxa/page.py#reply_of:refusal:2": _LYING,
    "stack/safari_jxa/page.py#reply_of:refusal:4": _LYING,
    "stack/safari_jxa/session.py#Session._look:raise:1": _LYING,
    "stack/safari_jxa/session.py#Session._refusal:raise:1": _LYING,
    "stack/safari_jxa/settings.py#_positive": _SETTINGS,
    "stack/safari_jxa/settings.py#_row": _SETTINGS,
    "stack/safari_jxa/settings.py#from_sheet": _SETTINGS,
    "stack/safari_mcp/connection.py#Connection._write": "two writes at once, of which the first fills the pipe",
    "stack/safari_mcp/driver.py#SafariMcp._check_open": _CLOSED,
    "stack/safari_mcp/observed.py#Observed.keep": "snapshots of over a hundred tabs, which no scenario makes",
    "stack/safari_loop/tab.py#Tab._observed": "a decision's own reads are fewer than what a tab remembers",
    "stack/safari_mcp/settings.py#_deadlines": _SETTINGS,
    "stack/safari_mcp/settings.py#from_sheet": _SETTINGS,
    "stack/session/client.py#Client.ask:cleanup:1": _DIED,
    "stack/session/client.py#Client.ask:raise:1": _DIED,
    "stack/session/client.py#_dead": _DIED,
    "stack/session/client.py#begin:cleanup:2": _DIED,
    "stack/session/client.py#connect:raise:1": _DIED,
    "stack/session/place.py#reach:cleanup:1": _OTHER,
    "stack/session/place.py#reach:raise:1": _OTHER,
    "stack/session/process.py": "the background process of a server; a virtual run has servers as tasks",
    "stack/session/server.py#Nobody.ask": "this driver asks nothing; the port wants somebody who could be asked",
    "stack/session/server.py#Server._answer:raise:1": _OTHER,
    "stack/session/server.py#Server._run:raise:1": _OTHER,
    "stack/session/wire.py#Lines.receive": _OTHER,
    "stack/session/wire.py#reply_of": _OTHER,
    "stack/session/over_mcp.py": "a command of the program; a virtual run calls the stack itself",
    "stack/session/terminal.py": "reads a terminal; a virtual run has none",
}
"""File of a stack, a function of it, or one guard -> why no run in virtual time comes by its guards. Its own tests do:
tests/harness/campaign/test_unrun.py takes each of them out before those."""
