"""Whatever stands in a file that a command is given: an error of ours with its exit code, or an answer; no defect.

Good files are damaged, byte by byte and line by line, and given to every command that reads one. A defect would leave
`compose` as SystemExit, and fail the test with the file.
"""
from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.cli import compose
from harness.evidence.ledger import add
from tests.harness.evidence.records import record

ROOT = Path(__file__).resolve().parents[3]
TAPE = ROOT / "scenarios/tapes/codex/0.171.0/s31_no_reply.jsonl"
ADAPTER = next((ROOT / "scenarios/adapters").glob("*.yaml"))
SCENARIO = b"""scenario: A key is pressed
subject: computer-use
about: [codex]
world: {approvals: {com.apple.Chess: always}}
steps:
  - {call: list_apps, as: list, expect: done}
then:
  - {claim: [CUA-RUN-01], says: it is answered, count: {history: {e: answered}}, is: 1}
"""
PLAN = b'{"v":1,"faults":[{"id":"f","fault":"drop","at":{"program":"codex","way":"<<","nth":1},"args":{}}]}'
CLAIMS = b'- {id: CUA-RUN-01, kind: refusal, from: computer-use, about: [codex], claim: "It is refused."}\n'
LOG = b'{"dir":"c2s","ts":1.5,"frame":{"id":1,"method":"initialize"}}\n{"dir":"s2c","ts":2.0,"frame":{"__raw__":"x"}}\n'
PLANNED = "computer-use/ten-tools.yaml"
PRODUCT = ["--product", "codex=1"]


def ledger() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        add([record()], Path(folder) / "l")
        return (Path(folder) / "l").read_bytes()


def scenarios(path: Path) -> list[str]:
    """verify, on a folder with this file as its one scenario."""
    folder = path.parent / "scenarios" / "computer-use"
    folder.mkdir(parents=True, exist_ok=True)
    path.replace(folder / "a.yaml")
    out = str(path.parent)
    return ["verify", "--scenarios", str(folder.parent), "--jobs", "1", "--runs", f"{out}/runs", "--ledger",
            f"{out}/ledger", "--report", f"{out}/report"]  # fmt: skip


def claims(path: Path) -> list[str]:
    folder = path.parent / "claims"
    folder.mkdir(exist_ok=True)
    path.replace(folder / "a.yaml")
    return ["claims", "--claims", str(folder)]


def report(path: Path) -> list[str]:
    """report, on this ledger and no kept runs."""
    return ["report", "--ledger", str(path), "--runs", f"{path}.runs", "--out", f"{path}.report"]


Words = Callable[[Path], list[str]]
COMMANDS: dict[str, tuple[Callable[[], bytes], Words]] = {
    "tape show": (TAPE.read_bytes, lambda path: ["tape", "show", str(path)]),
    "tape lint": (TAPE.read_bytes, lambda path: ["tape", "lint", "--json", str(path)]),
    "tape diff": (TAPE.read_bytes, lambda path: ["tape", "diff", str(TAPE), str(path)]),
    "tape join": (TAPE.read_bytes, lambda path: ["tape", "join", "--out", f"{path}.joined", str(path)]),
    "tape import": (lambda: LOG, lambda path: ["tape", "import", "--out", f"{path}.tape", *PRODUCT, str(path)]),
    "probe": (TAPE.read_bytes, lambda path: ["probe", str(path), "--", "/nowhere/at/all"]),
    "run": (lambda: SCENARIO, lambda path: ["run", str(path)]),
    "run --plan": (lambda: PLAN, lambda path: ["run", PLANNED, "--plan", path.read_text("latin-1")]),
    "run --stack": (ADAPTER.read_bytes, lambda path: ["run", "x.yaml", "--stack", str(path)]),
    "verify": (lambda: SCENARIO, scenarios),
    "claims": (lambda: CLAIMS, claims),
    "claims --ledger": (ledger, lambda path: ["claims", "--ledger", str(path)]),
    "report": (ledger, report),
}
"""Command -> (a good file, the words that give it one)."""
DEAR = {"run", "run --plan", "verify", "report"}
"""Commands that do more than read."""
PIECES = [b"\n", b'"', b"{", b"}", b"[", b"]", b":", b",", b"\\ud800", b"\xff", b"\0", b"null", b"1e999", b"-1", b"&a ",
          b"*a", b"!!python/x ", b"<<: ", b"[" * 600, b"\xe2\x80\xa8"]  # fmt: skip
EDITS = st.lists(
    st.tuples(st.integers(0, 1 << 12), st.integers(0, 40), st.sampled_from(PIECES) | st.binary(max_size=8)), max_size=3
)


def damaged(data: bytes, edits: list[tuple[int, int, bytes]]) -> bytes:
    for at, size, new in edits:
        place = at % (len(data) + 1)
        data = data[:place] + new + data[place + size :]
    return data


@pytest.mark.claim("HAR-CLI-01")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_damaged_file_is_an_error_of_ours_or_an_answer(name: str) -> None:
    good, words = COMMANDS[name]
    whole = good()

    @settings(max_examples=10 if name in DEAR else 60)
    @given(EDITS)
    def check(edits: list[tuple[int, int, bytes]]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "given"
            path.write_bytes(damaged(whole, edits))
            assert compose(words(path)) in (0, 1, 2, 3)

    check()


GOOD: dict[str, int] = {"probe": 3, "run --stack": 2, "verify": 3, "report": 3}
"""What a command says of the whole file, where it is not 0: the program is nowhere, the scenario is another one, its
one check has no teeth, and the ledger is of another build."""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_files_are_good_before_they_are_damaged(name: str, tmp_path: Path) -> None:
    """Else every damaged one would be refused for what all have."""
    good, words = COMMANDS[name]
    path = tmp_path / "given"
    path.write_bytes(good())
    assert compose(words(path)) == GOOD.get(name, 0)
