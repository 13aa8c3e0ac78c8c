"""HAR-DET-01: one scenario, seed and commit give one journal, byte for byte: ten runs in ten interpreters.

Four programs, a call that times out, two calls at once: something is concurrent at every moment. Each interpreter has
another seed for the hashes of its strings.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
RUNS = 10
AT_ONCE = 2
SCRIPT = """
import sys
from pathlib import Path
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.runner import run
from harness.scenario.scenario import load_scenario
from harness.tape.event import line

plan = {"v": 1, "faults": [
    {"id": "f1", "fault": "stall", "at": {"program": "codex", "way": "<<", "kind": "reply",
                                          "method": "mcpServer/tool/call", "nth": 2}},
    {"id": "f2", "fault": "delay", "at": {"program": "lsappinfo", "moment": "started", "nth": 3}, "args": {"ms": 40}},
]}
records = run(compile_sheet(load_scenario(Path(sys.argv[1])), Choice(seed=int(sys.argv[2]), plan=plan)))
for book in (records.history, records.world, records.journal):
    for each in book:
        print(line(each))
"""
SCENARIO = """\
scenario: Two applications are worked on at once, and one call times out
subject: computer-use
about: [codex, helper, lsappinfo, codesign]
world:
  approvals: {com.apple.Chess: always, com.apple.TextEdit: always}
steps:
  - {call: get_app_state, as: chess, arguments: {app: Chess}, background: true}
  - {call: get_app_state, as: text, arguments: {app: TextEdit}, background: true}
  - {await: chess}
  - {await: text}
  - {call: get_app_state, as: chess again, arguments: {app: Chess}, background: true}
  - {call: list_apps, as: list}
then:
  - {says: both were answered, count: {history: {e: answered}}, is: 4}
"""


def ran(path: Path, hash_seed: int, seed: int) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", SCRIPT, str(path), str(seed)]
    return subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.claim("HAR-DET-01", tooth="another seed")
def test_ten_interpreters_give_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    path.write_text(SCENARIO, encoding="utf-8")
    jobs = [(number, 7) for number in range(RUNS)] + [(0, 8)]
    outputs: list[bytes] = []
    for begin in range(0, len(jobs), AT_ONCE):
        running = [ran(path, *job) for job in jobs[begin : begin + AT_ONCE]]
        for process in running:
            out, err = process.communicate()
            assert process.returncode == 0, err.decode()
            outputs.append(out)
    hashes = [hashlib.sha256(out).hexdigest() for out in outputs]
    assert len(set(hashes[:RUNS])) == 1
    assert hashes[RUNS] != hashes[0]
    assert b'"code":"call_timeout"' in outputs[0]
    assert outputs[0].count(b'"e":"started"') > 20
