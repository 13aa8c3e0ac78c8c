"""What a run sheet may say of `codex` (`programs.codex`): a table, from which the documentation's list is made."""

from __future__ import annotations

from fakes.fronts.codex_profiles import COSTS_MS, VERSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.settings import Table

KEYS: Table = {
    "profile": ("|".join(VERSIONS), VERSIONS[-1], "version to be"),
    "strict": ("bool", True, "whether violations are recorded"),
    "shuffle": ("bool", True, "whether frames that the real server does not order are shuffled by the seed"),
    "config": ("object", {}, "what the configuration file in CODEX_HOME says, as JSON"),
    "requirements": (
        "object or null",
        None,
        "managed requirements {approval: [...], sandbox: [...]}; the first of each is required",
    ),
    "echo": ("object", {}, "members put over the result of thread/start, to lie about the thread"),
    "stray_turn": ("never|thread|call|close", "never", "when frames of a model turn come that nobody asked for"),
    "commands": (
        "object",
        {"helper": "helper", "SkyComputerUseClient": "helper"},
        "last part of an MCP server's command to the program that it is; others are not found",
    ),
    "surfaces": (
        "bool",
        False,
        "whether every elicitation reaches the client, whatever the policy is: no measured version does",
    ),
    "queue": ("int", 128, "requests in flight from which on a further one is answered with -32001"),
    "home": ("text", "/Users/user/.codex", "CODEX_HOME where the environment has none"),
    "cwd": ("text", "/Users/user", "working folder, for thread/start without an absolute cwd"),
    "host": ("text", "mac.local", "name of the machine"),
    "platform": ("text", "macos", "platformOs"),
    "system": ("text", "Mac OS 26.1.0; arm64", "operating system and processor in userAgent"),
    "warns": ("bool", True, "whether it writes its usual warning to standard error at the start"),
    **{name: ("number", cost, f"cost of {meaning}") for name, (cost, meaning) in COSTS_MS.items()},
}
