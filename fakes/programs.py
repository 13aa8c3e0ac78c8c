"""The table of machines by program name, and of worlds. Values are looked up only when a run needs them."""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    "codex": "fakes.fronts.codex:AppServer",
    "helper": "fakes.fronts.helper:Helper",
    "codesign": "fakes.fronts.codesign:CodeSign",
    "lsappinfo": "fakes.fronts.lsappinfo:LsAppInfo",
    "safaridriver": "fakes.fronts.safaridriver:SafariDriver",
    "judge": "fakes.fronts.judge:Judge",
    "model": "fakes.fronts.model:Model",
    "osascript": "fakes.fronts.osascript:Osascript",
    "browser": "fakes.fronts.chrome:Browser",
    "channel": "fakes.fronts.chrome_channel:Channel",
    "desktop": "fakes.fronts.desktop_help:DesktopHelp",
}
"""Program name -> `module:Class` of its machine, built with `harness.serve.machine.Given`."""

SERVED: dict[str, str] = {
    **PROGRAMS,
    "safaridriver": "fakes.fronts.safaridriver_served:ServedSafariDriver",
    "webdriver": "fakes.fronts.safaridriver_webdriver:WebDriver",
}
"""The same for runs of processes in which a client may connect to what a program listens on."""

WORLDS: dict[str, str] = {
    "desktop": "fakes.worlds.desktop:Desktop",
    "safari": "fakes.worlds.safari:Safari",
    "chrome": "fakes.worlds.chrome:Chrome",
}
"""World name -> `module:Class`, built with `(record, settings)`."""
