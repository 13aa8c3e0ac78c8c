"""Records the tapes of our own stack: on the real codex, and on our fake safaridriver with WebKit behind it.

    python -m tests.record_tapes [TEXT]...       only tapes with one of these in their path

Each scenario that has the back `tape` is run as processes with the tap's shim (`trailcam record --shim`) where the real
program would be. Behind the shim of codex stands the real program; behind that of safaridriver our own fake, a process
of its own with the pages in WebKitGTK: such a tape says `model`, and is never a recording of Apple's program. A tape
that is there is replaced.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fakes.programs import PROGRAMS
from harness.engines import ENGINES, locate
from harness.kept.origin import Origin
from harness.record.options import parse
from harness.record.shim import write_shims
from harness.scenario import runner
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import judge_records
from harness.scenario.scenario import Scenario, load_scenario
from harness.serve.launch import make_folder, remove_folder
from harness.subjects import WEBKIT
from harness.tape.read import read
from harness.wire.jsontext import dumps, loads

ROOT = Path(__file__).resolve().parent.parent
CODEX = "scenarios/computer-use/a-recorded-session.yaml"
SAFARI = "scenarios/safari-mcp"
SOURCE = "Our own fake of it, with the pages in {engine}; no program of Apple's took part."


def taped(folder: Path) -> list[Scenario]:
    """The scenarios of a folder that have the back `tape`."""
    found = [load_scenario(path) for path in sorted(folder.glob("*.yaml"))]
    return [scenario for scenario in found if "tape" in scenario.backs]


def record(sheet: Mapping[str, Any], program: str, real: Path, options: Sequence[str], out: Path) -> None:
    """Run a sheet with the shim of a program where the real one would be, and keep the tape. Raises AssertionError
    where the session does not hold: then nothing is written."""
    with tempfile.TemporaryDirectory(prefix="tc") as made:
        shims, tapes = Path(made) / "shims", Path(made) / "tapes"
        write_shims(parse(["--shim", str(shims), "--out", str(tapes), *options, f"{program}={real}"]))
        judged = judge_records(runner.run({**sheet, "programs": {
            **{name: each for name, each in sheet["programs"].items() if name != program},
            program: {"path": str(shims / program), "dialect": sheet["wires"][program]["stdio"]},
        }}))  # fmt: skip
        wrong = [f"{said.says}: {said.why}" for said in judged.then if said.verdict != "holds"]
        wrong += [f"law {law.law}: {law.why}" for law in judged.laws if not law.moot and law.verdict != "holds"]
        assert not wrong, "\n".join(wrong)
        (tape,) = tapes.iterdir()
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tape, out)


def is_wanted(out: Path, words: Sequence[str]) -> bool:
    return not words or any(word in str(out.relative_to(ROOT)) for word in words)


def record_codex(words: Sequence[str]) -> int:
    """The session of Computer Use on each real codex. 3 where one is missing."""
    status = 0
    scenario = load_scenario(ROOT / CODEX)
    for engine in ENGINES:
        if engine.program != "codex":
            continue
        real, version = locate(engine), str(engine.version)
        out = ROOT / scenario.given["tapes"][version]["codex"]
        if not is_wanted(out, words):
            continue
        if real is None:
            print(f"{engine.name} is missing: `make engines` installs it", file=sys.stderr)
            status = 3
            continue
        options = [
            "--product", f"codex={version}", "--strength", "engine", "--profile", f"codex-{version}",
        ]  # fmt: skip
        sheet = compile_sheet(scenario, Choice(version, "engine", "process"))
        record(sheet, "codex", real, options, out)
        print(out.relative_to(ROOT))
    return status


def record_safaridriver(words: Sequence[str]) -> int:
    """The sessions of Safari on our own fake, whose pages are WebKit's. 3 where WebKit is missing."""
    if any(locate(row) is None for row in ENGINES if row.name in WEBKIT.needs):
        print("webkit is missing: `make engines` installs it", file=sys.stderr)
        return 3
    for scenario in taped(ROOT / SAFARI):
        for profile in scenario.profiles:
            out = ROOT / scenario.given["tapes"][profile]["safaridriver"]
            if not is_wanted(out, words):
                continue
            sheet = compile_sheet(scenario, Choice(profile, "tape", "virtual"))
            fake = make_folder(["safaridriver"], alone(scenario, profile))
            process: dict[str, Any] = {"back": "engine", "mode": "process", "backs": {"safaridriver": "engine"}}
            options = ["--product", f"safaridriver={profile}", "--strength", "model", "--dialect", "mcp"]
            try:
                record({**sheet, **process}, "safaridriver", fake / "safaridriver", options, out)
                say_source(out, engine_of(fake))
            finally:
                remove_folder(fake)
            print(out.relative_to(ROOT))
            header, events = read(str(out))
            events.close()
            assert Origin.of_tape(header, "safaridriver").strength == "model"
    return 0


def alone(scenario: Scenario, profile: str) -> dict[str, Any]:
    """The sheet of our fake as a program of its own, with WebKit behind its pages."""
    sheet = compile_sheet(scenario, Choice(profile, "engine", "process"))
    machines = {"safaridriver": PROGRAMS["safaridriver"]}
    return {**{key: sheet[key] for key in ("v", "seed", "world", "programs")}, "machines": machines,
            "world_factory": WEBKIT.world}  # fmt: skip


def engine_of(folder: Path) -> str:
    """The engine whose pages were recorded. Raises AssertionError where there was none."""
    text = (folder / "world.jsonl").read_text(encoding="ascii")
    lines: list[Any] = [loads(line) for line in text.split("\n") if line]
    (engine,) = [line["id"] for line in lines if line["e"] == "held" and line["what"] == "engine"]
    return str(engine)


def say_source(tape: Path, engine: str) -> None:
    """Put into a tape's header what it was made from, in words."""
    first, _, rest = tape.read_text(encoding="ascii").partition("\n")
    header: Any = loads(first)
    header["origin"]["source"] = SOURCE.format(engine=engine)
    tape.write_text(f"{dumps(header)}\n{rest}", encoding="ascii")


def main(words: Sequence[str]) -> int:
    """0 where every tape was written, 3 where an engine is missing."""
    return max(record_codex(words), record_safaridriver(words))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
