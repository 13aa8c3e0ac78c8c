"""What one connection's driver can do, found out from its tools/list, and the calls that follow from it.

A connection proves its own capabilities: nothing is carried over from an earlier one. What is not in the tables of
pinned.py can't be called, neither a tool nor an argument.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from stack.contract import Json
from stack.errors import ProtocolError, SetupError
from stack.safari_mcp import pinned
from stack.safari_mcp.pinned import Profile

SETUP: Final = (
    "Safari 27 is needed, with 'Show features for web developers' (Settings > Advanced) and 'Allow remote automation "
    "and external agents' (Settings > Developer) on"
)
"""What every error about the set-up names."""
_UNORDERED: Final = frozenset({"required", "enum"})
_NOT_TEXT: Final = "a tool that is no object with a name"


def same_schema(seen: Json, wanted: Json, key: str = "") -> bool:
    """Whether two schemas are equal, descriptions and order aside. key: under which they stand."""
    if not key and repr(seen) == repr(wanted):  # the same to the letter: most are
        return True
    if isinstance(seen, dict) and isinstance(wanted, dict):
        inner = key == "properties"
        one, other = (_kept(seen), _kept(wanted)) if not inner else (seen, wanted)
        return one.keys() == other.keys() and all(
            same_schema(one[name], other[name], "" if inner else name) for name in other
        )
    if isinstance(seen, list) and isinstance(wanted, list):
        if key in _UNORDERED:
            seen, wanted = sorted(seen, key=repr), sorted(wanted, key=repr)
        return len(seen) == len(wanted) and all(map(same_schema, seen, wanted))
    return type(seen) is type(wanted) and seen == wanted


def _kept(schema: Mapping[str, Json]) -> Mapping[str, Json]:
    """What counts: all but a description in words."""
    if not isinstance(schema.get("description"), str):
        return schema
    return {name: value for name, value in schema.items() if name != "description"}


def _closes_by_handle(schema: Json) -> bool:
    if not isinstance(schema, dict) or schema.get("type") != "object" or schema.get("required") != ["handle"]:
        return False
    properties = schema.get("properties")
    handle = properties.get("handle") if isinstance(properties, dict) else None
    return isinstance(handle, dict) and handle.get("type") == "string"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """profiles: optional tool -> the profile that its schema equals; a tool that equals none is missing here."""

    profiles: Mapping[str, Profile]

    def arguments(self, tool: str, given: Mapping[str, Json]) -> dict[str, Json]:
        """The arguments as this driver names them. Raises SetupError(capability_missing) for an optional tool that it
        has not, and KeyError for a tool or an argument that stands in no table: a defect of this stack."""
        if tool in pinned.SENT:
            names = pinned.SENT[tool]
        elif tool in self.profiles:
            names = self.profiles[tool].names
        else:
            profiles = [profile.name for profile in pinned.PINNED[tool]]
            raise SetupError("capability_missing", f"{tool} is missing, or has none of the schemas {profiles}")
        return {names[name]: value for name, value in given.items()}


def read_capabilities(result: Json) -> Capabilities:
    """What a tools/list result proves. Raises SetupError(driver_incompatible) where a required tool is missing or
    close_tab is not what it has to be; ProtocolError(driver_malformed) for what is no list of tools."""
    listed = result.get("tools") if isinstance(result, dict) else None
    if not isinstance(listed, list):
        raise ProtocolError("driver_malformed", "a list of tools that is none")
    tools: dict[str, Json] = {}
    for tool in listed:
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(tool, dict) or not isinstance(name, str):
            raise ProtocolError("driver_malformed", _NOT_TEXT)
        if name in tools:
            raise ProtocolError("driver_malformed", f"the tool {name[:80]!r} is listed twice")
        tools[name] = tool.get("inputSchema")
    missing = [name for name in pinned.REQUIRED if name not in tools]
    if missing:
        raise SetupError("driver_incompatible", f"the driver has no {', '.join(missing)}; {SETUP}")
    if not _closes_by_handle(tools[pinned.CLOSE_TAB]):
        raise SetupError("driver_incompatible", f"close_tab does not take {pinned.CLOSE_SCHEMA}; {SETUP}")
    found = {}
    for name, profiles in pinned.PINNED.items():
        for profile in profiles:
            if name in tools and same_schema(tools[name], dict(profile.schema)):
                found[name] = profile
    return Capabilities(found)
