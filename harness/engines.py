"""The real programs that evidence of strength `engine` needs: where they lie, which builds are known, how to get them.

One table (`ENGINES`) feeds `trailcam doctor`, `make engines`, the pytest marker `engine(...)` and the engine backs, so
that what is installed, what is looked for and what is reported missing cannot differ. Separate from doctor because
`make engines` runs it with the system's interpreter, before anything is installed: standard library only.

Sizes and SHA-256 of the codex binaries: trailcam facts, codex app-server, npm `@openai/codex` on Linux x86_64.
"""
from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "build" / "engines"
"""What `make engines` installs outside the system's own package manager, as <program>/<version>."""


@dataclass(frozen=True, slots=True)
class Engine:
    """One real program.

    commands: names under which it is looked for on PATH (any one does); empty where npm installs it into FOLDER.
    debian, npm, pip: the package that brings it. inside: where npm puts the executable, a glob below its prefix; for
    pip a command in the environment that it has to itself.
    sha256: of the executable, where one build is pinned.
    version_args: makes it print its version, where it can. wanted: whether `make engines` installs it.
    """

    program: str
    means: str
    version: str | None = None
    commands: tuple[str, ...] = ()
    debian: str | None = None
    npm: str | None = None
    pip: str | None = None
    inside: str = ""
    sha256: str | None = None
    version_args: tuple[str, ...] = ()
    wanted: bool = True

    @property
    def name(self) -> str:
        """`codex-0.171.0`, or `chromium`: what --require and the pytest marker take."""
        return self.program if self.version is None else f"{self.program}-{self.version}"


CODEX_INSIDE = "node_modules/@openai/codex-*/vendor/*/bin/codex"
CODEX_MEANS = "without it no claim about codex reaches `engine`, and `trailcam probe` has no real program to ask"
ENGINES: tuple[Engine, ...] = (
    Engine(
        "codex", CODEX_MEANS, version="0.144.2", npm="@openai/codex", inside=CODEX_INSIDE,
        version_args=("--version",),
        sha256="8b5b8bf86fb661c10787b5a5c70d7ba2cf3e61f3c902877509174b45d13fa6aa",
    ),
    Engine(
        "codex", CODEX_MEANS, version="0.171.0", npm="@openai/codex", inside=CODEX_INSIDE,
        version_args=("--version",),
        sha256="b76a027d6b210f9a8da7aaf321dd235c700f0ef7a794d4a5314b9af6c134f0f0",
    ),
    Engine(
        # 2.x needs a newer Node.js (22.19) than Debian 13 has. Its parts alone (inspector-cli) do not run.
        "inspector", "without it no MCP client from outside Python has been through the served stack", version="1.0.2",
        npm="@modelcontextprotocol/inspector", inside="node_modules/.bin/mcp-inspector",
        sha256="cf5a25f481c3696ac6cd72f352f5f8572ccae5778eb3e5d1cd8d842ec883068b",
    ),
    Engine(
        "chromium", "without it nobody has seen the report in a real browser", commands=("chromium",),
        debian="chromium", version_args=("--version",),
    ),
    Engine("npm", "without it `make engines` cannot install codex and inspector", commands=("npm",), debian="npm",
           version_args=("--version",)),
    Engine(
        "chromedriver", "no scenario uses it yet; real Chrome pages will", commands=("chromedriver",),
        debian="chromium-driver", version_args=("--version",), wanted=False,
    ),
    Engine(
        "webkit", "without it no claim about a page of Safari reaches `engine`", commands=("WebKitWebDriver",),
        debian="webkit2gtk-driver",
    ),
    Engine("xvfb", "without it WebKit has no screen", commands=("Xvfb",), debian="xvfb"),
    Engine(
        # In an environment of its own: it pins an older h11 than the MCP SDK needs. The last one for Python 3.11.
        "mitmproxy", "without it HTTP legs are neither recorded nor replayed", version="11.0.2", pip="mitmproxy",
        inside="bin/mitmdump",
    ),
)


def select(program: str, version: str | None = None) -> tuple[Engine, ...]:
    """The rows of a program, or the one of a version. Raises KeyError for what the table does not have."""
    rows = tuple(row for row in ENGINES if row.program == program and version in (None, row.version))
    if not rows:
        raise KeyError(f"no engine {program} {version or ''} in {', '.join(row.name for row in ENGINES)}")
    return rows


def locate(engine: Engine, folder: Path | None = None, search: str | None = None) -> Path | None:
    """The executable, or None. search: a PATH, by default the environment's."""
    if engine.npm is None and engine.pip is None:
        on_path = (shutil.which(name, path=search) for name in engine.commands)
        return next((Path(path) for path in on_path if path), None)
    home = (folder or FOLDER) / engine.program / (engine.version or "")
    built = sorted(home.glob(engine.inside))
    return next((path for path in built if os.access(path, os.X_OK)), None)


def digest(path: Path) -> str:
    """SHA-256 of a file in hex, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def ask_version(engine: Engine, path: Path) -> str | None:
    """The line in which the program says its version; None where it says none within 20 seconds."""
    if not engine.version_args:
        return None
    try:
        done = subprocess.run(
            [str(path), *engine.version_args], capture_output=True, text=True, timeout=20, check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.strip().splitlines()
    return lines[-1] if done.returncode == 0 and lines else None


@dataclass(frozen=True, slots=True)
class Step:
    """One command of the installation, and whether only root may run it."""

    argv: tuple[str, ...]
    root: bool


def plan(missing: Iterable[Engine], folder: Path | None = None) -> tuple[Step, ...]:
    """The commands that install these engines: one apt-get for all, then one npm each, and an environment for each pip
    package. Pure."""
    rows = [row for row in missing if row.wanted]
    debian = tuple(row.debian for row in rows if row.debian)
    steps = [Step(("apt-get", "install", "--yes", "--no-install-recommends", *debian), root=True)] if debian else []
    for row in rows:
        home = (folder or FOLDER) / row.program / (row.version or "")
        if row.pip:
            steps.append(Step((sys.executable, "-m", "venv", str(home)), root=False))
            install_words = ("-m", "pip", "install", "--disable-pip-version-check", f"{row.pip}=={row.version}")
            steps.append(Step((str(home / "bin" / "python"), *install_words), root=False))
        if row.npm:
            argv = ("npm", "install", "--no-audit", "--no-fund", "--prefix", str(home), f"{row.npm}@{row.version}")
            steps.append(Step(argv, root=False))
    return tuple(steps)


def run_command(argv: Sequence[str]) -> int:
    """Run one command with this process's output; 127 where it is not there."""
    try:
        return subprocess.run(
            argv, check=False, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, stdin=subprocess.DEVNULL
        ).returncode
    except FileNotFoundError:
        return 127


def install(
    run: Callable[[Sequence[str]], int],
    *,
    root: bool,
    folder: Path | None = None,
    search: str | None = None,
    say: Callable[[str], None] = print,
) -> int:
    """Install what is wanted and missing. Exit code: 0 all there, 3 something could not be had, said in words."""
    for step in plan([row for row in ENGINES if locate(row, folder, search) is None], folder):
        if step.root and not (root and shutil.which(step.argv[0], path=search)):
            say(f"engines: this needs root on Debian: {' '.join(step.argv)}")
            say("engines: elsewhere, install these programs by hand and run `make engines` again")
            return 3
        say(f"engines: {' '.join(step.argv)}")
        status = run(step.argv)
        if status:
            say(f"engines: {step.argv[0]} ended with {status}; try again, for apt-get after `apt-get update`")
            return 3
    return verify(folder, search, say)


def verify(folder: Path | None, search: str | None, say: Callable[[str], None]) -> int:
    """Whether every wanted engine is there, and every pinned one is the pinned build."""
    status = 0
    for row in ENGINES:
        path = locate(row, folder, search)
        if path is None and row.wanted:
            say(f"engines: {row.name} is still missing: {row.means}")
            status = 3
        elif path is not None and row.sha256 and digest(path) != row.sha256:
            say(f"engines: {row.name} at {path} is another build than the measured one (SHA-256 {row.sha256})")
            status = 3
        elif path is not None:
            say(f"engines: {row.name} is here")
    return status


def main(argv: Sequence[str], environment: Mapping[str, str] | None = None) -> int:
    """`python3 -m harness.engines install`; exit code 0, 2 or 3."""
    if list(argv) != ["install"]:
        print("usage: python3 -m harness.engines install", file=sys.stderr)
        return 2
    search = None if environment is None else environment.get("PATH")
    return install(run_command, root=os.geteuid() == 0, search=search)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
