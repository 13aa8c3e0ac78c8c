"""A folder of programs around the real app-server: the stub helper, and one-line codesign and lsappinfo."""

from __future__ import annotations

import plistlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from stack.computer_use.pinned import PINNED
from stack.contract import Json, Program
from stack.host import RealHost

HERE = Path(__file__).resolve().parent
FRONT = "ASN:0x0-0x39039:"
CODESIGN = """
import sys
name = {"codex": "com.openai.codex", "helper": "com.openai.sky.CUAService.cli"}[sys.argv[-1].rsplit("/", 1)[1]]
if sys.argv[1] == "-dv":
    sys.stderr.write(f"Executable={sys.argv[-1]}\\nIdentifier={name}\\nTeamIdentifier=2DC432GLL2\\n")
"""
LSAPPINFO = f"""
import sys, time
if sys.argv[1] == "listen":
    time.sleep(600)
print({FRONT!r} if sys.argv[1] == "front" else '"CFBundleIdentifier"="com.apple.TextEdit"')
"""


def helper_tools() -> list[Json]:
    """The pinned tools as tools/list gives them."""
    return [
        {
            "name": name,
            "description": f"stub {name}",
            "inputSchema": dict(row.input_schema),
            "annotations": dict(row.annotations),
        }
        for name, row in PINNED.items()
    ]


def write_program(path: Path, body: str) -> None:
    path.write_text(f"#!{sys.executable} -SE\n{body}", encoding="utf-8")
    path.chmod(0o700)


def write_application(folder: Path, name: str, bundle_id: str) -> Path:
    bundle = folder / f"{name}.app"
    (bundle / "Contents").mkdir(parents=True)
    (bundle / "Contents/Info.plist").write_bytes(
        plistlib.dumps({"CFBundleIdentifier": bundle_id, "CFBundleName": name})
    )
    return bundle


def real_host(
    folder: Path, codex: Path, *, tools: Sequence[Json] | None = None, stubborn: bool = False, **other: str
) -> RealHost:
    """A RealHost on that app-server. other: program name to a body in place of the usual one."""
    programs = folder / "programs"
    programs.mkdir()
    call = f"stub_helper.main({[*(helper_tools() if tools is None else tools)]!r}, {stubborn})"
    bodies: Mapping[str, str] = {
        "helper": f"import sys\nsys.path.append({str(HERE)!r})\nimport stub_helper\n{call}\n",
        "codesign": CODESIGN,
        "lsappinfo": LSAPPINFO,
        **other,
    }
    for name, body in bodies.items():
        write_program(programs / name, body)
    (programs / "codex").symlink_to(codex)
    write_application(folder / "applications", "Chess", "com.apple.Chess")
    table = {program: str(programs / program.value) for program in Program if program.value in (*bodies, "codex")}
    return RealHost(
        table,
        folder=folder / "state",
        locks=folder / "locks",
        application_folders=(str(folder / "applications"),),
    )
