"""A replay is the live session, byte for byte: sixteen scripted sessions that peers replay in part, or not at all."""
from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from harness.replay.recording import Recording
from harness.serve.launch import PYTHON
from tests.harness.replay.drive import Client, virtual
from tests.harness.replay.fidelity import SCENARIOS, SCRIPTS, SERVERS, Scenario, row, session, table

MOODS = {scenario.name: scenario for scenario in SCENARIOS}


def test_there_are_sixteen() -> None:
    assert len(MOODS) == 16
    assert {scenario.dialect for scenario in SCENARIOS} == {"mcp", "ndjson", "jsonrpc", "native"}


@pytest.mark.claim("HAR-PLAY-01", "HAR-PLAY-04")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=MOODS)
def test_the_replay_is_the_live_session(scenario: Scenario, tmp_path: Path) -> None:
    found = row(scenario, tmp_path)
    assert found.equal, found
    assert found.size > 50


def test_latency_is_replayed_in_virtual_time(tmp_path: Path) -> None:
    scenario = MOODS["300 ms latency"]
    row(scenario, tmp_path)
    tape = str(next(tmp_path.iterdir()))
    with Recording(tape) as recording:
        frames = [item for item in recording if item.kind == "frame"]
    took: list[float] = []

    async def play(client: Client) -> None:
        import trio

        for item in frames:
            if item.client:
                asked = trio.current_time()
                await client.send(item.raw)
            else:
                await client.lines(client.out.count(b"\n") + 1)
                took.append((trio.current_time() - asked) * 1000)

    seen = virtual({"tape": tape, "process": 1, "pace": "recorded", "argv": "free"}, play)
    assert seen.status == 0
    recorded = [after.t - before.t for before, after in pairwise(frames) if not after.client]
    assert took == [pytest.approx(each) for each in recorded]
    assert took[-1] >= 300


@pytest.mark.parametrize("part", ["out", "err", "status", "ids"])
def test_a_replay_that_differs_is_seen(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison itself: a player that does one thing otherwise is not equal."""
    lie = {
        "out": "sys.stdout.write('more\\n')",
        "err": "sys.stderr.write('more\\n')",
        "status": "sys.exit(1)",
        "ids": "sys.stdout.write('more\\n' if 'other' in text else '')",
    }[part]
    false = tmp_path / "player.py"
    false.write_text(f"""
import subprocess, sys
text = sys.stdin.read()
done = subprocess.run({SCRIPTS["replay"]!r} + sys.argv[1:], input=text, text=True, capture_output=True)
sys.stdout.write(done.stdout)
sys.stderr.write(done.stderr)
{lie}
sys.exit(done.returncode)
""")
    monkeypatch.setitem(SCRIPTS, "replay", [PYTHON, "-SE", str(false)])
    mute = Scenario("mute", "ndjson", ("lines.py",), lambda client: client.say({"do": str(client.id(1))}))
    folder = tmp_path / "tapes"
    folder.mkdir()
    found = row(Scenario("mute", "jsonrpc", ("bare_rpc.py",), lambda client: client.say(
        {"id": client.id(1), "method": "initialize"}
    )), folder)  # fmt: skip
    assert not found.equal and not getattr(found, part)
    assert "**differs**" in table([found]) and "0 of 1" in table([found])
    assert session([PYTHON, "-SE", str(SERVERS / "lines.py")], mute, lambda n: n)[2] == 0
