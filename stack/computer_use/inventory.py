"""Whether the helper has exactly the pinned tools: compares a mcpServerStatus/list result with the table.

Drift fails closed with each difference named by tool and JSON pointer. The order of tools, of `required` and of
`enum` means nothing (the real list comes in another order each time). Descriptions pass through, but for those that
the table pins.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from stack.computer_use.pinned import PinnedTool
from stack.computer_use.settings import SERVER
from stack.contract import Json, Tool
from stack.errors import ProtocolError, SetupError

ALIVE: Final = frozenset({"starting", "connected"})
"""What 0.171 says of a connection to the helper that can carry a call, or will; 0.144.2 says nothing of it."""

_SHOWN: Final = 6
_TEXT: Final = json.JSONEncoder(sort_keys=True).encode
"""A value as text, the same for all orders of members: it tells 1 from true and from 1.0, which `==` does not."""
_UNORDERED: Final = frozenset({"required", "enum"})


@dataclass(frozen=True, slots=True)
class Inventory:
    """What was listed: the tools in the pinned order, and the helper's version as it gives it."""

    tools: tuple[Tool, ...]
    client_build: str | None


def read_inventory(result: Json, pinned: Mapping[str, PinnedTool]) -> Inventory:
    """The inventory, where it is the pinned one. SetupError(inventory_drift, helper_failed) or
    ProtocolError(helper_dead)."""
    entry = _only_entry(result)
    _check_alive(entry)
    listed = entry.get("tools")
    if not isinstance(listed, dict):
        raise SetupError("inventory_drift", "a server whose tools are no object")
    differences = list(_differences(listed, pinned))
    if differences:
        more = f" and {len(differences) - _SHOWN} more" if len(differences) > _SHOWN else ""
        shown = "; ".join(differences[:_SHOWN])
        raise SetupError("inventory_drift", f"tools that differ from the pinned ones: {shown}{more}")
    info = entry.get("serverInfo")
    build = info.get("version") if isinstance(info, dict) else None
    tools = tuple(_tool(name, listed[name]) for name in pinned)
    return Inventory(tools, build if isinstance(build, str) else None)


def _only_entry(result: Json) -> Mapping[str, Json]:
    data = result.get("data") if isinstance(result, dict) else None
    if not isinstance(result, dict) or not isinstance(data, list):
        raise SetupError("inventory_drift", "a list of servers that is none")
    if result.get("nextCursor") is not None:
        raise SetupError("inventory_drift", "a list of servers that goes on")
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in data]
    if names != [SERVER] or not isinstance(data[0], dict):
        raise SetupError("inventory_drift", f"{len(names)} servers; expected {SERVER!r} alone")
    return data[0]


def _check_alive(entry: Mapping[str, Json]) -> None:
    status = entry.get("runtimeStatus")
    if status is not None and not (isinstance(status, str) and status in ALIVE):
        raise ProtocolError("helper_dead", f"the helper's connection is {status!r}")
    if entry.get("toolsError") is not None or entry.get("tools") == {}:
        raise SetupError("helper_failed", "a helper that could not list its tools")


def _differences(listed: Mapping[str, Json], pinned: Mapping[str, PinnedTool]) -> Iterator[str]:
    for name in sorted(set(listed) - set(pinned)):
        yield f"{name[:80]!r} is not pinned"
    for name, row in pinned.items():
        tool = listed.get(name)
        if tool is None:
            yield f"{name} is missing"
        elif not isinstance(tool, dict) or tool.get("name") != name:
            yield f"{name} is not a tool of that name"
        else:
            schema, wanted = tool.get("inputSchema"), dict(row.input_schema)
            if isinstance(schema, dict) and schema.get("required") == [] and "required" not in wanted:
                schema = {key: value for key, value in schema.items() if key != "required"}
            annotations = _unlike(tool.get("annotations"), dict(row.annotations), "/annotations")
            yield from (f"{name} at {place}" for place in _unlike(schema, wanted, "/inputSchema"))
            yield from (f"{name} at {place}" for place in annotations)


def _unlike(seen: Json, wanted: Json, place: str) -> Iterator[str]:
    """The places at which two JSON values differ. A description inside a property counts only where it is pinned."""
    if _TEXT(seen) == _TEXT(wanted):
        return
    if isinstance(seen, dict) and isinstance(wanted, dict):
        for name in sorted(set(seen) | set(wanted)):
            here = f"{place}/{name.replace('~', '~0').replace('/', '~1')[:80]}"
            if name in seen and name in wanted:
                if name in _UNORDERED and place.count("/") != 2:
                    yield from _unlike(_sorted(seen[name]), _sorted(wanted[name]), here)
                else:
                    yield from _unlike(seen[name], wanted[name], here)
            elif not (_is_property(place) and name == "description" and isinstance(seen.get(name), str)):
                yield here
    elif type(seen) is not type(wanted) or seen != wanted:
        yield place


def _is_property(place: str) -> bool:
    parts = place.split("/")
    return parts[1:3] == ["inputSchema", "properties"] and len(parts) == 4


def _sorted(value: Json) -> Json:
    return sorted(value, key=repr) if isinstance(value, list) else value


def _tool(name: str, tool: Json) -> Tool:
    members = tool if isinstance(tool, dict) else {}
    description, schema, annotations = (members.get(key) for key in ("description", "inputSchema", "annotations"))
    return Tool(
        name,
        description if isinstance(description, str) else "",
        schema if isinstance(schema, dict) else {},
        annotations if isinstance(annotations, dict) else {},
    )
