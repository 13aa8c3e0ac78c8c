"""Law 7 on small runs made by hand."""
from __future__ import annotations

from typing import Any

import pytest

from harness.laws.attribution import Attribution
from harness.laws.facts import Facts
from harness.laws.nothing_left import REMAINS, judge
from harness.laws.verdict import Finding
from tests.harness.laws.runs import Script


def judged(script: Script) -> Finding:
    facts = Facts(script.run())
    return judge(facts, Attribution(facts))


def held(*events: str, **sheet: Any) -> Script:
    script = Script(**sheet)
    for event in events:
        e, _, id = event.partition(" ")
        script.world_line(e, p=2, what="lease", id=id or "a")
    return script.leave()


def process(**left: Any) -> Script:
    return Script(mode="process").leave(**left)


CASES: list[tuple[str, Script, str, str]] = [
    ("nothing, and looked", process(locks=[]), "holds", "nothing left of processes, files, sockets, locks"),
    ("nothing, in virtual time", Script().leave(), "holds", "not judged: processes"),
    ("a process", process(processes=["codex"]), "broken", "processes: codex"),
    ("a process, in virtual time", Script().leave(processes=["codex"]), "broken", "processes: codex"),
    ("a file", process(files=["b.tmp", "a.tmp"]), "broken", "files: a.tmp, b.tmp"),
    ("a socket", process(sockets=["stage.sock"]), "broken", "sockets: stage.sock"),
    ("a lock", process(locks=["chess"]), "broken", "locks: chess"),
    ("a file that may stay", Script(keeps=["audit.jsonl"]).leave(files=["audit.jsonl"]), "holds", ""),
    ("one that may, one that may not", Script(keeps=["a"]).leave(files=["a", "b"]), "broken", "files: b"),
    ("a folder that may stay", Script(keeps=["logs/"]).leave(files=["logs/1", "logs/2"]), "holds", ""),
    ("a name that only begins so", Script(keeps=["logs"]).leave(files=["logs/1"]), "broken", "files: logs/1"),
    ("a process of a name that may stay", Script(keeps=["codex"]).leave(processes=["codex"]), "broken", "processes"),
    ("held and freed", held("held", "freed"), "holds", "1 things held in the world"),
    ("held", held("held"), "broken", "lease a of process 2"),
    ("held twice, freed once", held("held", "held", "freed"), "broken", "lease a"),
    ("one freed, another held", held("held a", "held b", "freed a"), "broken", "lease b"),
    ("freed before it was held", held("freed", "held"), "broken", "lease a"),
    ("freed and never held", held("freed"), "holds", ""),
    ("held anew and freed", held("held", "freed", "held", "freed"), "holds", ""),
    ("nobody looked at anything", Script().leave(None, None, None), "unknown", "not judged: files"),
    ("nobody looked at files", process(files=None), "holds", "not judged: files"),
    ("nobody looked", Script(), "unknown", "nobody looked"),
    ("nobody looked, and it is held", Script().world_line("held", p=1, what="lock", id="a"), "broken", "lock a"),
]


@pytest.mark.parametrize(("name", "script", "verdict", "why"), CASES)
def test_cases(name: str, script: Script, verdict: str, why: str) -> None:
    found = judged(script)
    assert found.verdict == verdict
    assert why in found.why


def test_nobody_looked_is_no_moot_law() -> None:
    assert not judged(Script()).moot
    assert judged(Script().leave(None, None, None)).moot


def test_it_shows_what_it_saw() -> None:
    assert judged(held("held a", "held b", "freed a")).world == (1,)


def test_processes_are_counted_in_process_runs_alone() -> None:
    assert {field for field, modes in REMAINS.items() if "virtual" not in modes} == {"processes"}
    assert all("process" in modes for modes in REMAINS.values())
