"""Records out of runs and tests: what took part, what it was, and so what a verdict is about. Or why there is none.

A program of a claim that took no part in a run gives no evidence by that run, however well its verdict came out. Who
took part is seen in the journal; what it was, in the run's provenance, which can't say more than mode and back allow.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from harness.claims import Claim
from harness.evidence.record import LedgerProblem, Record, teeth_fault
from harness.kept.origin import Origin
from harness.kept.run import KeptRun
from harness.kept.sources import canonical_hash
from harness.laws.verdict import Word
from harness.version import VERSION

OUTCOMES: Mapping[str, Word | None] = {"passed": "holds", "failed": "broken", "skipped": None}
"""Outcome of a test -> verdict of the claims that it is marked with; None: it shows nothing."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """A claim of which a run or test shows nothing, and why."""

    claim: str
    why: str


def _harness(run: KeptRun) -> Origin:
    return Origin("engine", VERSION)


def _host(run: KeptRun) -> Origin:
    return Origin("model" if run.sheet["mode"] == "virtual" else "engine", VERSION)


def _os(run: KeptRun) -> Origin:
    if run.sheet["mode"] == "virtual":
        return Origin("model", "virtual host")
    return Origin("live" if run.sheet["back"] == "live" else "engine", run.provenance.platform)


ALWAYS: Mapping[str, Callable[[KeptRun], Origin]] = {"harness": _harness, "host": _host, "os": _os}
"""Parts of every run that are no fakes of it. The harness that runs is the real one (docs/decisions), and so is the
native host, which is a part of the stack; as the operating system it counts as real where processes are."""


def evidence_of_run(
    claims: Mapping[str, Claim],
    verdicts: Mapping[str, Word],
    run: KeptRun,
    teeth: Mapping[str, Iterable[str]] | None = None,
) -> tuple[list[Record], list[Lacking]]:
    """What a run shows. verdicts: id of a claim -> what the run's checks of it came to; teeth: as in `teeth_of`.

    For runs of the stack as it is: runs that try its checks (guards taken out, broken stacks) give teeth, not records.
    A run of somebody else's stack shows nothing of this project.
    """
    if run.sheet.get("stack"):
        return [], [Lacking(id, "the run was one of somebody else's stack") for id in verdicts]
    started = {event["program"] for event in run.journal if event["e"] == "started"}
    records, lacking = [], []
    for id, verdict in verdicts.items():
        claim = _claim(claims, id)
        about: dict[str, Origin] = {}
        for program in claim.about:
            if program in ALWAYS:
                about[program] = ALWAYS[program](run)
            elif program not in started and program not in run.provenance.origins:
                lacking.append(Lacking(id, f"{program} took no part in the run"))
                break
            elif program not in run.provenance.origins:
                lacking.append(Lacking(id, f"nobody says what stood behind {program}"))
                break
            else:
                about[program] = run.provenance.origins[program]
        else:
            carried = _carried(about, run.sheet.get("carries") or {})
            records.append(Record(
                id, verdict, carried, f"scenario:{run.sheet['scenario']}", run.name, run.provenance.platform,
                _teeth((teeth or {}).get(id, ())), run.provenance.sources,
            ))
    return records, lacking


ROADS: Mapping[tuple[str, str], str] = {("model", "engine"): "engine"}
"""(What stands behind a program, and behind the part in it) -> what the program counts as, for claims that name both: a
fake over a real page is only the road to it. Any other pair leaves the program what it is, and so does a claim that
does not name the part: it is about the program itself, and a fake over WebKitGTK is none of Apple's."""


def _carried(about: Mapping[str, Origin], carries: Mapping[str, list[str]]) -> dict[str, Origin]:
    """What a claim is about, by ROADS; the version of what is only a road says both. carries: program -> the parts in
    it (run sheet)."""
    result = dict(about)
    for program, parts in carries.items():
        for part in parts:
            origin, inner = about.get(program), about.get(part)
            counts = ROADS.get((origin.back, inner.back)) if origin and inner else None
            if origin and inner and counts:
                result[program] = Origin(counts, f"{origin.version} over {inner.version}")
    return result


def evidence_of_test(
    claims: Mapping[str, Claim],
    ids: Iterable[str],
    node: str,
    outcome: str,
    *,
    platform: str,
    sources: Mapping[str, str],
    teeth: Iterable[str] = (),
    origins: Mapping[str, Origin] | None = None,
) -> tuple[list[Record], list[Lacking]]:
    """What a test shows of the claims that it is marked with.

    outcome: a key of OUTCOMES. sources: hashes of what was tested and of the test's own file. teeth: what the test
    shows to be caught. origins: the programs that took part beside harness and operating system; a test never is live.
    """
    verdict = OUTCOMES[outcome]
    ours = Origin("engine", VERSION)
    parts = {"harness": ours, "host": ours, "os": Origin("engine", platform), **(origins or {})}
    records, lacking = [], []
    for id in ids:
        claim = _claim(claims, id)
        missing = [program for program in claim.about if program not in parts]
        live = [program for program in claim.about if program not in missing and parts[program].strength == "live"]
        if verdict is None:
            lacking.append(Lacking(id, f"{node} was skipped"))
        elif missing:
            lacking.append(Lacking(id, f"{', '.join(missing)} took no part in {node}"))
        elif live:
            lacking.append(Lacking(id, f"{node} is a test: what it says of {', '.join(live)} is not live"))
        else:
            records.append(Record(
                id, verdict, {program: parts[program] for program in claim.about}, f"test:{node}",
                canonical_hash({"test": node, "sources": dict(sources)}), platform, _teeth(teeth), dict(sources),
            ))
    return records, lacking


def _claim(claims: Mapping[str, Claim], id: str) -> Claim:
    if id not in claims:
        raise LedgerProblem(f"claim {id!r}", "an id of scenarios/claims", "correct the id where it is named")
    return claims[id]


def _teeth(teeth: Iterable[str]) -> tuple[str, ...]:
    found = sorted(set(teeth))
    fault = teeth_fault(found)
    if fault is not None:
        raise LedgerProblem(*fault, "name what turned the verdict by its kind and name")
    return tuple(found)
