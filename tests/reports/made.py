"""Evidence for the tests of reports: real virtual runs of the stack, made when a test asks for them."""
from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from harness.claims import load_claims
from harness.evidence.collect import evidence_of_run
from harness.evidence.ledger import add
from harness.evidence.seen import Sighting, note_sighting
from harness.judged.run import judge_run
from harness.kept.origin import Origin
from harness.kept.run import KeptRun, Provenance, save
from harness.scenario.runner import run

CLAIMS = Path("scenarios/claims")
BUILD = {"harness": "a" * 64, "stack": "b" * 64}
HOSTILE = "A title </title><script>alert(1)</script> & \u202eevil | `x` ]]>"
PROGRAMS = ("codex", "helper", "codesign", "lsappinfo")


def fault(name: str, **at: Any) -> dict[str, Any]:
    return {"v": 1, "seed": 1, "faults": [{"id": "f1", "fault": name, "at": at, "args": {}}]}


PLANS: dict[str, dict[str, Any]] = {
    "none": {"v": 1, "seed": 1, "faults": []},
    "lost": fault("drop", program="codex", way="<<", kind="reply", method="mcpServer/tool/call", nth=2),
    "inapplicable": fault("drop", program="codex", way="<<", kind="reply", method="nowhere"),
}


def sheet(plan: str, **more: Any) -> dict[str, Any]:
    return {
        "v": 1, "scenario": "computer-use/click.yaml", "title": HOSTILE, "subject": "computer-use", "back": "model",
        "mode": "virtual", "profile": "0.171.0", "seed": 7, "plan": PLANS[plan], "bounds": {"call_ms": 200000},
        "world": {"approvals": {"com.apple.Chess": "always"}}, "programs": {"codex": {"profile": "0.171.0"}},
        "settings": {}, "keeps": ["computer-use-audit.jsonl"],
        "then": [{"claims": ["CUA-RES-01"], "says": "the click is done",
                  "some": {"history": {"e": "answered", "outcome": "done"}}}],
        "steps": [
            {"call": {"tool": "get_app_state", "arguments": {"app": "Chess"}}},
            {"call": {"tool": "click", "arguments": {"app": "Chess", "element_index": "3"}},
             "means": {"verb": "click", "ref": "com.apple.Chess/3", "value": None}},
        ],
        **more,
    }  # fmt: skip


@cache
def kept(plan: str) -> KeptRun:
    """A run under one of PLANS; made once."""
    of = sheet(plan)
    records = run(of)
    origins = {program: Origin("model", "0.171.0") for program in PROGRAMS}
    return KeptRun(of, records.history, records.world, records.journal, Provenance("linux", BUILD, origins))


def evidence(folder: Path, plans: tuple[str, ...] = ("none", "lost", "inapplicable")) -> Path:
    """`runs/` and `ledger.jsonl` in a folder, with a sighting beside; the folder."""
    claims = load_claims(CLAIMS)
    add([], folder / "ledger.jsonl")
    for plan in plans:
        made = kept(plan)
        save(made, folder / "runs" / plan)
        if plan == "none":
            words = judge_run(made).claims
            records, _ = evidence_of_run(claims, words, made, {"CUA-RES-01": ["fault:drop"]})
            add(records, folder / "ledger.jsonl")
            note_sighting(folder / "seen.jsonl", Sighting(made.name, "2026-02-03T04:05:06Z", "Linux x86_64"))
    return folder
