"""Records the tapes of scenarios/tapes/computer-use: our stack on the real codex, behind the tap.

    python -m tests.record_tapes

Runs scenarios/computer-use/a-recorded-session.yaml on the engine back of each profile whose engine is here, with the
tap's shim (`trailcam record --shim`) between the proxy and the real program. A tape that is there is replaced.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from harness.engines import ENGINES, Engine, locate
from harness.record.options import parse
from harness.record.shim import write_shims
from harness.scenario import runner
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import judge_records
from harness.scenario.scenario import load_scenario

ROOT = Path(__file__).resolve().parent.parent
SCENARIO = ROOT / "scenarios/computer-use/a-recorded-session.yaml"


def record(engine: Engine, real: Path, out: Path, folder: Path) -> None:
    """One tape. Raises AssertionError where the session does not hold: then nothing is written."""
    shims, tapes = folder / "shims", folder / "tapes"
    options = [
        "--shim", str(shims), "--out", str(tapes), "--product", f"codex={engine.version}", "--strength", "engine",
        "--profile", f"codex-{engine.version}", f"codex={real}",
    ]  # fmt: skip
    write_shims(parse(options))
    sheet = compile_sheet(load_scenario(SCENARIO), Choice(str(engine.version), "engine", "process"))
    programs: dict[str, Any] = {"codex": {"path": str(shims / "codex"), "dialect": "jsonrpc"}}
    judged = judge_records(runner.run({**sheet, "programs": programs}))
    assert judged.word == "holds", "\n".join(said.why for said in judged.then if said.verdict != "holds")
    (tape,) = tapes.iterdir()
    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(tape, out)


def main() -> int:
    """0 where every tape was written, 3 where an engine is missing."""
    status = 0
    for engine in ENGINES:
        if engine.program == "codex":
            real = locate(engine)
            if real is None:
                print(f"{engine.name} is missing: `make engines` installs it", file=sys.stderr)
                status = 3
                continue
            out = ROOT / f"scenarios/tapes/computer-use/codex-{engine.version}.jsonl"
            with tempfile.TemporaryDirectory(prefix="tc") as folder:
                record(engine, real, out, Path(folder))
            print(out.relative_to(ROOT))
    return status


if __name__ == "__main__":
    sys.exit(main())
