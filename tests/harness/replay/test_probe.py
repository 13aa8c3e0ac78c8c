"""The client's side of a tape before real programs: the same one, ones that drifted, and both real app-servers."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import trio

from harness.problem import Problem, UsageProblem
from harness.replay.client import Unbound
from harness.replay.drift import KINDS
from harness.replay.probe import Limits, Report, in_session, probe, start
from harness.serve.launch import PYTHON
from harness.tape.problem import TapeProblem
from tests.harness.replay import real_codex
from tests.harness.replay.fidelity import SCENARIOS, SCRIPTS, SERVERS, Pipes, Scenario, handshake, session
from tests.harness.replay.tapes import EOF, exited, gap, got, said, signalled, tape

QUICK = Limits(wait_ms=1500)
"""Only where something is expected not to come."""


def whole(client: Pipes) -> None:
    handshake(client)
    client.ask(1, "tools/list")
    client.line()
    client.ask(2, "tools/call", name="click", arguments={"app": "Chess"}, _meta={"progressToken": 5})
    client.line()
    client.say({"jsonrpc": "2.0", "id": 7, "result": {"roots": []}})
    client.line()
    client.line()


def server(*changes: str, script: str = "tool_server.py") -> list[str]:
    return [PYTHON, "-SE", str(SERVERS / script), *changes]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tape of the unchanged server, as the tap writes it."""
    return record(tmp_path_factory.mktemp("tapes") / "tools.jsonl", server(), whole, "mcp")


def record(path: Path, command: Sequence[str], play: Any, dialect: str) -> str:
    tap = [*SCRIPTS["record"], "--out", str(path), "--dialect", dialect, "--", *command]
    session(tap, Scenario("", dialect, (), play), lambda number: number)
    return str(path)


def run(tape: str, command: Sequence[str], **how: Any) -> Report:
    return trio.run(lambda: probe(tape, command, **how))


def kinds(report: Report) -> list[str]:
    return [drift.kind for drift in report.drifts]


@pytest.mark.claim("HAR-PLAY-03")
@pytest.mark.parametrize("scenario", [
    scenario for scenario in SCENARIOS if scenario.name not in ("1 MiB both ways", "300 ms latency")
], ids=lambda scenario: scenario.name)  # fmt: skip
def test_the_program_that_was_recorded_has_not_drifted(scenario: Scenario, tmp_path: Path) -> None:
    script, *words = scenario.server
    made = Scenario(scenario.name, scenario.dialect, scenario.server, scenario.play, scenario.ids)
    command = server(*words, script=script)
    path = str(tmp_path / "t.jsonl")
    tap = [*SCRIPTS["record"], "--out", path, "--dialect", scenario.dialect, "--", *command]
    *_, status = session(tap, made, made.ids)
    report = run(path, command)
    assert [drift.as_json() for drift in report.drifts] == []
    assert report.compared and report.status == status


DRIFTED: list[tuple[str, list[tuple[str, str]]]] = [
    ("tool added", [("tool added", "/result/tools")]),
    ("tool removed", [("tool removed", "/result/tools")]),
    ("schema", [("tool changed", "/inputSchema/properties/app/type")]),
    ("tools in another order", []),
    ("answer", [("answer differs", "/result/content/0/text")]),
    ("error", [("answer differs", "/result"), ("answer differs", "/error")]),
    ("id type", [("request differs", "/id")]),
    ("order", [("order differs", "")]),
    ("notice missing", [("missing", "")]),
    ("notice extra", [("extra", "")]),
    ("question", [("missing", "")]),
    ("junk", [("extra", "")]),
    ("status", [("exit status", "")]),
    ("hangs", [("exit status", "")]),
    ("ends early", [("missing", ""), ("missing", ""), ("missing", ""), ("missing", "")]),
    ("silence", [("missing", ""), ("missing", ""), ("missing", "")]),
]


@pytest.mark.claim("HAR-PLAY-03")
@pytest.mark.parametrize(("change", "expected"), DRIFTED, ids=[row[0] for row in DRIFTED])
def test_what_drifted_is_told(recorded: str, change: str, expected: list[tuple[str, str]]) -> None:
    report = run(recorded, server(change), limits=QUICK)
    ours = [drift for drift in report.drifts if drift.pointer not in SESSION]
    assert [(drift.kind, drift.pointer) for drift in ours] == expected, [drift.as_json() for drift in report.drifts]
    assert {drift.kind for drift in ours} <= set(KINDS)
    assert not in_session_of(report)


SESSION = ("/result/session",)


def in_session_of(report: Report) -> list[int]:
    """Processes of the program's session that are left: those that its stderr named."""
    named = [int(word) for word in report.stderr.split() if word.isdigit()]
    return [pid for pid in named if living(pid)]


def living(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_values_that_the_program_makes_up_anew_drift_where_no_profile_says_so(recorded: str) -> None:
    assert {drift.pointer for drift in run(recorded, server()).drifts} == {"/result/session"}


def test_values_that_the_program_makes_up_are_bound_and_sent_back(tmp_path: Path) -> None:
    start = '{"id":1,"method":"thread/start","params":{}}'
    thread = '{"id":1,"result":{"thread":{"id":"recorded-id","sessionId":"recorded-id"}}}'
    path = tape(
        tmp_path / "t.jsonl", got(start), said(thread),
        got('{"id":2,"method":"echo","params":{"of":"recorded-id"}}'),
        said('{"id":2,"result":{"of":"recorded-id","at":5}}'), EOF, exited(), profile="codex",
    )  # fmt: skip
    script = tmp_path / "server.py"
    script.write_text("""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "echo":
        result = {"of": message["params"]["of"], "at": 5}
    else:
        result = {"thread": {"id": "another-id", "sessionId": sys.argv[1]}}
    print(json.dumps({"id": message["id"], "result": result}), flush=True)
""")
    assert run(path, [PYTHON, "-SE", str(script), "another-id"]).drifts == []
    (drift,) = run(path, [PYTHON, "-SE", str(script), "third-id"]).drifts
    assert (drift.pointer, drift.recorded, drift.seen) == ("/result/thread/sessionId", "recorded-id", "third-id")


def test_placeholders_are_bound_by_what_comes_or_from_outside(tmp_path: Path) -> None:
    path = tape(
        tmp_path / "t.jsonl", got('{"id":1,"method":"home"}'), said('{"id":1,"result":{"home":"<ROOT>/home"}}'),
        got('{"id":2,"method":"echo","params":{"in":"<ROOT>/work"}}'), said('{"id":2,"result":{"in":"<ROOT>/work"}}'),
        EOF, exited(), bytes="reconstructed",
    )  # fmt: skip
    script = tmp_path / "server.py"
    script.write_text("""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    result = message["params"] if message["method"] == "echo" else {"home": "/srv/x/home"}
    print(json.dumps({"id": message["id"], "result": result}), flush=True)
""")
    command = [PYTHON, "-SE", str(script)]
    assert run(path, command).drifts == []
    assert run(path, command, bind={"<ROOT>": "/srv/x"}).drifts == []
    (drift,) = run(path, command, bind={"<ROOT>": "/srv/y"}).drifts
    assert (drift.kind, drift.seen) == ("answer differs", "/srv/x/home")
    first = tape(
        tmp_path / "first.jsonl", got('{"id":1,"method":"echo","params":{"in":"<RIG>"}}'), bytes="reconstructed"
    )
    with pytest.raises(Unbound, match="--bind RIG=VALUE"):
        run(first, command)


def test_signals_and_the_pace_of_the_client(tmp_path: Path) -> None:
    path = tape(
        tmp_path / "t.jsonl", got('{"id":1,"method":"a"}', t=0), said('{"id":1,"result":1}', t=1),
        got('{"id":2,"method":"b"}', t=400), said('{"id":2,"result":1}', t=401), signalled(15), exited(-15),
    )  # fmt: skip
    script = tmp_path / "server.py"
    script.write_text("""
import json, sys, time
last = None
for line in sys.stdin:
    now = time.monotonic()
    early = last is not None and now - last < 0.39
    last = now
    print(json.dumps({"id": json.loads(line)["id"], "result": 0 if early else 1}), flush=True)
""")
    command = [PYTHON, "-SE", str(script)]
    report = run(path, command, limits=Limits(pace=1.0))
    assert (report.status, report.drifts) == (-15, [])
    assert [drift.seen for drift in run(path, command).drifts] == [0], "without the pace the client is early"


def test_everything_that_it_started_is_ended(recorded: str) -> None:
    report = run(recorded, server("child", "hangs"), limits=Limits(wait_ms=300))
    assert "child" in report.stderr
    assert in_session_of(report) == []
    assert "exit status" in kinds(report)
    drift = next(drift for drift in report.drifts if drift.kind == "exit status")
    assert "it did not end" in drift.what and drift.recorded == 0


def test_the_whole_is_bounded_and_progress_is_told(recorded: str) -> None:
    said: list[str] = []
    with pytest.raises(Problem, match="no end of the session within 2500 ms"):
        run(recorded, server("silence"), limits=Limits(limit_ms=2500), say=said.append)
    assert said == ["2 frames compared"]


def test_a_program_that_reads_nothing_is_no_trouble(recorded: str) -> None:
    report = run(recorded, [PYTHON, "-SE", "-c", "import os; os.close(0); os.write(2, b'x' * 9000)"], limits=QUICK)
    assert set(kinds(report)) == {"missing"}
    assert (report.compared, report.status, len(report.stderr)) == (0, 0, 4096)


@pytest.mark.parametrize(("events", "header", "problem", "words"), [
    ([got("a"), said("b")], {"dialect": "raw"}, UsageProblem, "a tape of raw bytes"),
    ([said('{"method":"m"}')], {}, Problem, "the client says nothing"),
    ([got('{"id":1,"method":"m"}'), gap()], {}, TapeProblem, "saw a gap"),
])  # fmt: skip
def test_what_can_not_be_probed(
    tmp_path: Path, events: list[Any], header: dict[str, Any], problem: type[Problem], words: str
) -> None:
    path = tape(tmp_path / "t.jsonl", *events, **header)
    with pytest.raises(problem, match=words):
        run(path, server())


@pytest.mark.parametrize("command", [["/no/such/program"], [str(Path(__file__))], ["a\0b"]])
def test_a_command_that_can_not_be_started(recorded: str, command: list[str]) -> None:
    with pytest.raises(Problem, match="expected a program that can be started"):
        run(recorded, command)


def test_the_processes_of_a_session() -> None:
    async def main() -> None:
        process = await start([PYTHON, "-SE", "-c", "import os\nos.fork()\nos.read(0, 1)"])
        assert process.stdin
        while len(in_session(process.pid)) < 2:
            await trio.lowlevel.checkpoint()
        await process.aclose()

    trio.run(main)
    assert in_session(2**30) == []


def test_where_the_system_does_not_tell_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert in_session(os.getpid()) == []


VERSIONS = [pytest.param(v, marks=pytest.mark.engine("codex", v)) for v in ("0.144.2", "0.171.0")]


@pytest.mark.claim("HAR-PLAY-03")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["s01_happy", "s57_all_ten"])
def test_the_real_app_server_does_as_it_was_recorded(tmp_path: Path, version: str, name: str) -> None:
    report = run(real_codex.tape(version, name), real_codex.command(tmp_path, version, name))
    assert [drift.as_json() for drift in report.drifts] == []
    assert report.compared >= 10 and report.status == 0


@pytest.mark.claim("HAR-PLAY-03")
@pytest.mark.parametrize("version", VERSIONS)
def test_the_other_version_has_drifted(tmp_path: Path, version: str) -> None:
    other = {"0.144.2": "0.171.0", "0.171.0": "0.144.2"}[version]
    report = run(real_codex.tape(other, "s01_happy"), real_codex.command(tmp_path, version, "s01_happy"))
    found = {(drift.kind, drift.pointer): drift for drift in report.drifts}
    assert found["answer differs", "/result/thread/cliVersion"].seen == version
    assert found["answer differs", "/result/thread/historyMode"].recorded == (
        "legacy" if other == "0.144.2" else "paginated"
    )
    assert not {"tool added", "tool removed", "tool changed", "missing", "extra", "order differs"} & set(kinds(report))


@pytest.mark.claim("HAR-PLAY-03")
@pytest.mark.parametrize("version", VERSIONS)
def test_the_real_app_server_with_other_tools_has_drifted(tmp_path: Path, version: str) -> None:
    changed = tmp_path / "nine.mcp.jsonl"
    text = Path(real_codex.tape(version, "s01_happy.mcp")).read_text()
    changed.write_text(
        text.replace("App name, full app path", "Name, full path").replace('"list_apps\\"', '"list_all\\"')
    )
    command = real_codex.command(tmp_path, version, "s01_happy")
    command = [word.replace(real_codex.tape(version, "s01_happy.mcp"), str(changed)) for word in command]
    report = run(real_codex.tape(version, "s01_happy"), command, limits=Limits(wait_ms=3000))
    tools = {(drift.kind, drift.what) for drift in report.drifts if drift.kind.startswith("tool ")}
    assert {("tool removed", "list_apps"), ("tool added", "list_all"), ("tool changed", "click")} <= tools
    described = next(drift for drift in report.drifts if drift.what == "click")
    assert described.pointer == "/inputSchema/properties/app/description"
