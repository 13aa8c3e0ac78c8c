"""The table of machines by program name, and of worlds. Values are looked up only when a run needs them."""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    "codex": "fakes.fronts.codex:AppServer",
    "helper": "fakes.fronts.helper:Helper",
    "codesign": "fakes.fronts.codesign:CodeSign",
    "lsappinfo": "fakes.fronts.lsappinfo:LsAppInfo",
}
"""Program name -> `module:Class` of its machine, built with `harness.serve.machine.Given`."""

WORLDS: dict[str, str] = {
    "desktop": "fakes.worlds.desktop:Desktop",
}
"""World name -> `module:Class`, built with `(record, settings)`."""
