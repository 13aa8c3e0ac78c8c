"""The served stack as a process of its own: `main` of the installed command, on a host that only this file can give it.

Started by the outsiders' tests as `served.py RUN_FOLDER STATE APPLICATIONS [option of trailcam-stack …]`. The programs
are the stubs of a run folder, whose stage runs in the test's process; the tests' platform is Linux. No installed
command takes any of this.
"""

from __future__ import annotations

import sys
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from stack import computer_use
from stack.cli import main
from stack.computer_use.settings import LINUX, Settings
from stack.contract import Host, Program, Stack
from stack.host import RealHost
from stack.safari_mcp.settings import PLATFORM
from stack.systems import Options, safari


def on_linux(host: Host, options: Options) -> AbstractAsyncContextManager[Stack]:
    return computer_use.open(host, Settings(platform=LINUX, progressive=options.progressive))


def run(folder: Path, state: Path, applications: str, arguments: list[str]) -> int:
    table = {program: str(folder / program) for program in Program if (folder / program).exists()}
    return main(
        arguments,
        host=lambda: RealHost(
            table, folder=state / "state", locks=state / "locks", application_folders=(applications,)
        ),
        systems={"computer-use": on_linux, "safari-mcp": partial(safari, platform=PLATFORM)},
    )


if __name__ == "__main__":
    raise SystemExit(run(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4:]))
