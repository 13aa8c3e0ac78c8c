"""The command line of the fake app-server."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.fronts.codex_arguments import Refusal, parse, unexpected, value_of
from fakes.fronts.codex_profiles import Profile

NEWER = Profile("0.171.0")


def config(*words: str, base: dict[str, Any] | None = None) -> Any:
    return parse(["app-server", *words], NEWER, base or {}).config


def test_overrides_are_toml_and_plain_text_where_they_are_none() -> None:
    assert config("-c", "model=gpt", "-c", 'profile="x"', "--config=tool_output_token_limit=3") == {
        "model": "gpt", "profile": "x", "tool_output_token_limit": 3,
    }  # fmt: skip
    assert value_of("{a=[1,{b=true}]}") == {"a": [1, {"b": True}]}
    assert value_of("not toml") == "not toml"


def test_overrides_merge_with_the_file_and_with_each_other() -> None:
    base = {"mcp_servers": {"other": {"command": "o"}}, "model": "old", "tools": 3}
    found = config(
        "-c", 'mcp_servers={a={command="c"}}', "-c", "mcp_servers.a.tool_timeout_sec=5", "-c", "model=new",
        "-c", "tools.web=1", base=base,
    )  # fmt: skip
    assert found["mcp_servers"] == {"other": {"command": "o"}, "a": {"command": "c", "tool_timeout_sec": 5}}
    assert (found["model"], found["tools"]) == ("new", {"web": 1})
    assert base["mcp_servers"] == {"other": {"command": "o"}}, "the file stays as it was"


def test_features_are_switched_in_two_ways() -> None:
    found = config("--enable", "shell_tool", "--disable=apps", "-c", "features.plugins=false")
    assert found["features"] == {"shell_tool": True, "apps": False, "plugins": False}


def test_options_may_stand_before_the_command_and_flags_are_taken() -> None:
    made = parse(["-c", "model=x", "app-server", "--stdio", "--listen", "stdio://", "--strict-config"], NEWER, {})
    assert (made.config, made.strict, made.unknown) == ({"model": "x"}, True, [])
    assert parse(["--version"], NEWER, {}).version
    assert parse(["-V"], NEWER, {}).version


def test_unknown_keys_are_known_as_such() -> None:
    words = ("-c", "foo=1", "-c", "features.nope=true", "-c", 'mcp_servers={a={command="c",colour=1},b=3}')
    with pytest.raises(Refusal, match="invalid transport"):
        config(*words)
    made = parse(["app-server", *words[:4], "-c", 'mcp_servers={a={command="c",colour=1}}'], NEWER, {})
    assert made.unknown == ["foo", "features.nope", "mcp_servers.a.colour"]


REFUSED: tuple[tuple[tuple[str, ...], int, str], ...] = (
    ((), 1, "Error: stdin is not a terminal"),
    (("app-server", "--nope"), 2, "error: unexpected argument '--nope' found"),
    (("app-server", "daemon"), 2, "error: unrecognized subcommand 'daemon'"),
    (("app-server", "--version"), 2, "error: unexpected argument '--version' found"),
    (("app-server", "--enable"), 2, "error: a value is required for '--enable <VALUE>' but none was supplied"),
    (("app-server", "--listen", "ws://127.0.0.1:1"), 1, "Error: the fake serves stdio:// alone, not ws://127.0.0.1:1"),
    (("app-server", "--strict-config", "-c", "foo=1"), 1, "Error: unknown configuration field `foo`"),
    (("app-server", "-c", 'sandbox_mode="full"'), 1, "Error: unknown variant `full`, expected one of `read-only`, "),
    (("app-server", "-c", "mcp_servers=3"), 1, "Error: invalid type: integer `3`, expected a map\nin `mcp_servers`"),
    (("app-server", "-c", 'mcp_servers={a={command="c",tool_timeout_sec=true}}'), 1,
     "Error: invalid type: boolean `true`, expected f64\nin `mcp_servers.a.tool_timeout_sec`"),
)  # fmt: skip


@pytest.mark.parametrize(("words", "status", "text"), REFUSED)
def test_what_the_real_one_refuses_is_refused(words: tuple[str, ...], status: int, text: str) -> None:
    with pytest.raises(Refusal) as raised:
        parse(list(words), NEWER, {})
    assert raised.value.status == status
    assert raised.value.text.startswith(text)


def test_the_older_version_says_more_where_it_is_not_strict() -> None:
    older = Profile("0.144.2")
    for words, prefix in ((("app-server",), "Error: error loading default config after config error: invalid"),
                          (("app-server", "--strict-config"), "Error: invalid type")):  # fmt: skip
        with pytest.raises(Refusal) as raised:
            parse([*words, "-c", "model=3"], older, {})
        assert raised.value.text.startswith(prefix)


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "boolean `true`"), (3, "integer `3`"), (1.5, "floating point `1.5`"), ("a", 'string "a"'), (None, "null"),
     ([1], "sequence"), ({}, "map")],
)  # fmt: skip
def test_values_are_named_as_the_reader_names_them(value: Any, text: str) -> None:
    assert unexpected(value) == text
