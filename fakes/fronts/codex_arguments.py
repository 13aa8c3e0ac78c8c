"""The command line of `codex app-server`: options, `-c` overrides, and what is refused before anything is served.

Texts and exit codes are those of the real program (seen on 0.144.2 and 0.171.0), but for the stack backtrace that it
prints after `Error:`. A `-c` value is TOML, or plain text where it is no TOML, as the real one has it.
"""

from __future__ import annotations

from fakes.fronts.codex_config_keys import FEATURES, SERVER, TOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fakes.fronts.codex_profiles import Profile

VALUED = (
    "-c",
    "--config",
    "--enable",
    "--disable",
    "--listen",
    "--startup-client-info",
    "--ws-auth",
    "--ws-token-file",
)
FLAGS = ("--strict-config", "--stdio", "--analytics-default-enabled")
USAGE = "\n\nUsage: codex app-server [OPTIONS] [COMMAND]\n\nFor more information, try '--help'.\n"
HELP = "\n\nFor more information, try '--help'.\n"
TYPES: dict[str, tuple[str, Any]] = {
    "model": ("a string", str),
    "model_provider": ("a string", str),
    "approval_policy": ("a string", (str, dict)),
    "sandbox_mode": ("a string", str),
    "mcp_servers": ("a map", dict),
    "model_providers": ("a map", dict),
    "features": ("a map", dict),
}
SERVER_TYPES: dict[str, tuple[str, Any]] = {
    "command": ("a string", str),
    "args": ("a sequence", list),
    "env": ("a map", dict),
    "cwd": ("a string", str),
    "required": ("a boolean", bool),
    "enabled": ("a boolean", bool),
    "startup_timeout_sec": ("f64", (int, float)),
    "tool_timeout_sec": ("f64", (int, float)),
    "enabled_tools": ("a sequence", list),
    "disabled_tools": ("a sequence", list),
}
POLICIES = ("untrusted", "on-failure", "on-request", "granular", "never")
SANDBOXES = ("read-only", "workspace-write", "danger-full-access")

_parsed: dict[str, Any] = {}


class Refusal(Exception):
    """The program ends before it serves: what it writes to standard error, and its exit code."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.text = text
        self.status = status


class Arguments:
    """config: the overrides as a tree. version: only the version was asked for. unknown: keys that nobody knows."""

    __slots__ = ("config", "strict", "version", "unknown")

    def __init__(self) -> None:
        self.config: dict[str, Any] = {}
        self.strict = False
        self.version = False
        self.unknown: list[str] = []


def parse(argv: list[str], profile: Profile, base: Mapping[str, Any]) -> Arguments:
    """The arguments over the configuration file `base`. Raises Refusal as the real program refuses."""
    found = Arguments()
    overrides, served = _options(argv, found)
    if found.version:
        return found
    if not served:
        raise Refusal("Error: stdin is not a terminal\n", 1)
    for key, value in base.items():
        found.config[key] = value
    for override in overrides:
        path, sign, text = override.partition("=")
        if not sign:
            raise Refusal(f"Error: error parsing -c overrides: Invalid override (missing '='): {override}\n", 1)
        _put(found.config, path.strip().split("."), value_of(text.strip()))
    found.unknown = _unknown(found.config, profile.version)
    if found.strict and found.unknown:
        raise Refusal(f"Error: unknown configuration field `{found.unknown[0]}` in -c/--config override\n", 1)
    wrong = _wrong(found.config)
    if wrong is not None:
        raise Refusal(f"Error: {'' if found.strict else profile.config_error}{wrong}\n", 1)
    return found


def _options(argv: list[str], found: Arguments) -> tuple[list[str], bool]:
    """(overrides, whether app-server was named)."""
    overrides: list[str] = []
    served = False
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        name, sign, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if name in VALUED:
            if not sign:
                if not rest:
                    shown = {"-c": "--config <key=value>", "--config": "--config <key=value>"}.get(
                        name, f"{name} <VALUE>"
                    )
                    raise Refusal(f"error: a value is required for '{shown}' but none was supplied{HELP}", 2)
                value = rest.pop(0)
            _valued(name, value, overrides)
        elif word in FLAGS:
            found.strict = found.strict or word == "--strict-config"
        elif word in ("--version", "-V") and not served:
            found.version = True
        elif word == "app-server" and not served:
            served = True
        elif word.startswith("-"):
            raise Refusal(f"error: unexpected argument '{word}' found{USAGE}", 2)
        else:
            raise Refusal(f"error: unrecognized subcommand '{word}'{USAGE}", 2)
    return overrides, served


def _valued(name: str, value: str, overrides: list[str]) -> None:
    if name in ("-c", "--config"):
        overrides.append(value)
    elif name in ("--enable", "--disable"):
        overrides.append(f"features.{value}={'true' if name == '--enable' else 'false'}")
    elif name == "--listen" and value != "stdio://":
        raise Refusal(f"Error: the fake serves stdio:// alone, not {value}\n", 1)


def value_of(text: str) -> Any:
    """A TOML value, or the text itself where it is none."""
    if text not in _parsed:
        import tomllib  # only where there are overrides

        try:
            _parsed[text] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            _parsed[text] = text
    return _parsed[text]


def _put(tree: dict[str, Any], path: list[str], value: Any) -> None:
    for name in path[:-1]:
        below = tree.get(name)
        tree[name] = dict(below) if isinstance(below, dict) else {}
        tree = tree[name]
    below = tree.get(path[-1])
    tree[path[-1]] = _merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def _unknown(config: Mapping[str, Any], profile: str) -> list[str]:
    found = [key for key in config if key not in TOP]
    features = config.get("features")
    if isinstance(features, dict):
        found += [f"features.{name}" for name in features if name not in FEATURES[profile]]
    servers = config.get("mcp_servers")
    if isinstance(servers, dict):
        for name, server in servers.items():
            if isinstance(server, dict) and "command" in server:
                found += [f"mcp_servers.{name}.{key}" for key in server if key not in SERVER]
    return found


def _wrong(config: Mapping[str, Any]) -> str | None:
    """The first thing that is wrong with the values of known keys."""
    wrong = _misfits(config, TYPES, "")
    for key, words in (("approval_policy", POLICIES), ("sandbox_mode", SANDBOXES)):
        value = config.get(key)
        if wrong is None and isinstance(value, str) and value not in words:
            known = ", ".join(f"`{word}`" for word in words)
            wrong = f"unknown variant `{value}`, expected one of {known}\nin `{key}`\n"
    if wrong is not None:
        return wrong
    for name, server in config.get("mcp_servers", {}).items():
        if not isinstance(server, dict) or "command" not in server:
            return f"invalid transport\nin `mcp_servers.{name}`\n"
        wrong = _misfits(server, SERVER_TYPES, f"mcp_servers.{name}.")
        if wrong is not None:
            return wrong
    provider = config.get("model_provider")
    known_providers = ("openai", "oss", *config.get("model_providers", {}))
    return None if provider is None or provider in known_providers else f"Model provider `{provider}` not found"


def _misfits(values: Mapping[str, Any], types: Mapping[str, tuple[str, Any]], where: str) -> str | None:
    for key, (wanted, kinds) in types.items():
        if key in values and (
            not isinstance(values[key], kinds) or (isinstance(values[key], bool) and kinds is not bool)
        ):
            return f"invalid type: {unexpected(values[key])}, expected {wanted}\nin `{where}{key}`\n"
    return None


def unexpected(value: Any) -> str:
    """A value that did not fit, as serde names it."""
    if isinstance(value, bool):
        return f"boolean `{str(value).lower()}`"
    if isinstance(value, int):
        return f"integer `{value}`"
    if isinstance(value, float):
        return f"floating point `{value}`"
    if isinstance(value, str):
        return f'string "{value}"'
    return "null" if value is None else "sequence" if isinstance(value, list) else "map"
