"""Records out of runs and tests: about what took part, and about nothing else."""
from __future__ import annotations

from typing import Any

import pytest

from harness.claims import FOLDER, load_claims
from harness.evidence import LedgerProblem, Origin, evidence_of_run, evidence_of_test
from harness.evidence.collect import OUTCOMES
from harness.kept import KeptRun, Provenance
from harness.version import VERSION
from tests.harness.evidence.records import CLAIMS, ENGINE, LIVE, MODEL, TAPE
from tests.harness.laws.runs import Script

SOURCES = {"harness": "a" * 64, "stack": "b" * 64}


def run(*programs: str, platform: str = "linux", origins: Any = None, **sheet: Any) -> KeptRun:
    script = Script(**sheet)
    for p, program in enumerate(programs, 1):
        script.start(program, p)
    known = dict.fromkeys(programs, MODEL) if origins is None else origins
    return script.run(Provenance(platform, SOURCES, known))


def test_a_run_shows_a_claim_about_what_took_part() -> None:
    made = run("codex", "helper")
    [record], lacking = evidence_of_run(CLAIMS, {"CUA-RUN-04": "broken"}, made, {"CUA-RUN-04": ["guard:a", "fault:b"]})
    assert not lacking
    assert (record.claim, record.verdict, record.strength) == ("CUA-RUN-04", "broken", "model")
    assert record.about == {"codex": MODEL}
    assert (record.by, record.platform, record.build) == ("scenario:computer-use/click.yaml", "linux", SOURCES)
    assert record.run == made.name
    assert record.teeth == ("fault:b", "guard:a")


@pytest.mark.claim("HAR-RPT-03", tooth="a program that took no part")
@pytest.mark.parametrize(
    ("id", "made", "why"),
    [
        ("CUA-RUN-04", run("helper"), "codex took no part"),
        ("CUA-CLN-01", run("codex"), "helper took no part"),
        ("CUA-CLN-01", run("codex", "helper", origins={"codex": MODEL}), "nobody says what stood behind helper"),
        ("SAF-READ-01", run("safaridriver"), "page took no part"),
    ],
)
def test_a_program_that_took_no_part_gives_no_evidence(id: str, made: KeptRun, why: str) -> None:
    records, [lacking] = evidence_of_run(CLAIMS, {id: "holds"}, made)
    assert records == []
    assert lacking.claim == id
    assert why in lacking.why


OS: list[tuple[dict[str, Any], list[str]]] = [
    ({"mode": "virtual"}, ["model", "virtual host"]),
    ({"mode": "process"}, ["engine", "darwin"]),
    ({"mode": "process", "back": "engine"}, ["engine", "darwin"]),
    ({"mode": "process", "back": "live"}, ["live", "darwin"]),
]


@pytest.mark.claim("HAR-RPT-03", tooth="a virtual host taken for an operating system")
@pytest.mark.parametrize(("sheet", "os"), OS)
def test_the_operating_system_is_real_where_processes_are(sheet: dict[str, Any], os: list[str]) -> None:
    made = run("codex", "helper", platform="darwin", **sheet)
    [record], _ = evidence_of_run(CLAIMS, {"CUA-CLN-01": "holds"}, made)
    assert record.about["os"].as_json() == os
    assert record.strength == "model"


@pytest.mark.claim("HAR-RPT-03", tooth="a native host in virtual time taken for one that runs")
@pytest.mark.parametrize(("sheet", "strength"), [
    ({"mode": "virtual"}, "model"), ({"mode": "process"}, "engine"), ({"mode": "process", "back": "live"}, "engine"),
])  # fmt: skip
def test_the_native_host_is_real_where_processes_are_and_never_live(sheet: dict[str, Any], strength: str) -> None:
    [record], _ = evidence_of_run(load_claims(FOLDER), {"CHR-HOST-02": "holds"}, run(**sheet))
    assert record.about["host"] == Origin(strength, VERSION)


def test_the_harness_is_the_real_one_and_no_more_than_an_engine() -> None:
    [record], _ = evidence_of_run(CLAIMS, {"HAR-WIRE-01": "holds"}, run(mode="process", back="live"))
    assert record.about == {"harness": Origin("engine", VERSION)}
    assert record.strength == "engine"


@pytest.mark.claim("HAR-RPT-03", tooth="a verdict stronger than its weakest program")
@pytest.mark.parametrize(("helper", "strength"), [(MODEL, "model"), (TAPE, "tape"), (ENGINE, "engine")])
def test_strength_is_that_of_the_weakest(helper: Origin, strength: str) -> None:
    made = run("codex", "helper", mode="process", back="live", origins={"codex": LIVE, "helper": helper})
    [record], _ = evidence_of_run(CLAIMS, {"CUA-CLN-01": "holds"}, made)
    assert record.strength == strength


def test_a_claim_that_is_none_is_refused() -> None:
    with pytest.raises(LedgerProblem, match="CUA-RUN-99"):
        evidence_of_run(CLAIMS, {"CUA-RUN-99": "holds"}, run("codex"))
    with pytest.raises(LedgerProblem, match="CUA-RUN-99"):
        evidence_of_test(CLAIMS, ["CUA-RUN-99"], "a.py::b", "passed", platform="linux", sources=SOURCES)


def test_a_tooth_without_a_kind_is_refused() -> None:
    with pytest.raises(LedgerProblem, match="tooth 'sharp'"):
        evidence_of_run(CLAIMS, {"CUA-RUN-04": "holds"}, run("codex"), {"CUA-RUN-04": ["sharp"]})


# Tests

NODE = "tests/harness/wire/test_ndjson.py::test_any_split"


def of_test(ids: list[str], outcome: str = "passed", **more: Any) -> Any:
    return evidence_of_test(CLAIMS, ids, NODE, outcome, platform="linux", sources=SOURCES, **more)


@pytest.mark.parametrize(("outcome", "verdict"), [("passed", "holds"), ("failed", "broken")])
def test_a_test_shows_the_claims_that_it_is_marked_with(outcome: str, verdict: str) -> None:
    records, lacking = of_test(["HAR-WIRE-01", "HAR-REC-01"], outcome, teeth=["broken:splitlines"])
    assert not lacking
    assert [record.verdict for record in records] == [verdict, verdict]
    assert records[1].about == {"harness": Origin("engine", VERSION), "os": Origin("engine", "linux")}
    assert {(record.by, record.strength, record.teeth) for record in records} == {
        (f"test:{NODE}", "engine", ("broken:splitlines",))
    }
    other, _ = evidence_of_test(CLAIMS, ["HAR-WIRE-01"], NODE, outcome, platform="linux", sources={"harness": "c" * 64})
    assert records[0].run == records[1].run != other[0].run


LACKING: list[tuple[list[str], str, dict[str, Any], str]] = [
    (["HAR-WIRE-01"], "skipped", {}, "was skipped"),
    (["CUA-RUN-04"], "passed", {}, "codex took no part"),
    (["CUA-RUN-04"], "passed", {"origins": {"codex": LIVE}}, "what it says of codex is not live"),
]


@pytest.mark.claim("HAR-RPT-03", tooth="a test that says it is live")
@pytest.mark.parametrize(("ids", "outcome", "more", "why"), LACKING)
def test_what_a_test_does_not_show(ids: list[str], outcome: str, more: dict[str, Any], why: str) -> None:
    records, [lacking] = of_test(ids, outcome, **more)
    assert records == []
    assert why in lacking.why


def test_a_test_may_bring_a_tape_or_a_model() -> None:
    [record], _ = of_test(["CUA-RUN-04"], origins={"codex": TAPE})
    assert record.strength == "tape"
    with pytest.raises(KeyError):
        of_test(["HAR-WIRE-01"], "xfailed")
    assert set(OUTCOMES) == {"passed", "failed", "skipped"}


@pytest.mark.parametrize(
    ("carries", "driver", "strength", "version"),
    [
        ({"safaridriver": ["page"]}, MODEL, "engine", "0.171.0 over WebKitGTK 2"),
        ({}, MODEL, "model", "0.171.0"),
        ({"safaridriver": ["page"]}, TAPE, "tape", "0.171.0"),
    ],
)
def test_a_fake_that_only_carries_a_real_page_does_not_weaken_a_claim_about_it(
    carries: dict[str, list[str]], driver: Origin, strength: str, version: str
) -> None:
    origins = {"page": Origin("engine", "WebKitGTK 2"), "safaridriver": driver}
    made = run("safaridriver", origins=origins, mode="process", back="engine", carries=carries)
    [record], _ = evidence_of_run(CLAIMS, {"SAF-READ-01": "holds"}, made)
    assert (record.strength, record.about["safaridriver"].version) == (strength, version)
    assert record.about["page"].strength == "engine"


def test_of_claims_that_do_not_name_the_page_a_fake_over_a_real_one_shows_what_a_model_shows() -> None:
    """Every claim there is about a program of Safari's, by a run in which all of it is there."""
    fakes = {"safaridriver", "osascript"}
    version, engine = "of Apple's", Origin("engine", "WebKitGTK 2")
    origins = {**dict.fromkeys([*fakes, "model", "judge"], Origin("model", version)), "page": engine}
    carries = {program: ["page"] for program in fakes}
    made = run(*fakes, "model", "judge", origins=origins, mode="process", back="engine", carries=carries)
    claims = {id: claim for id, claim in load_claims(FOLDER).items() if fakes & {*claim.about}}
    records, lacking = evidence_of_run(claims, dict.fromkeys(claims, "holds"), made)
    assert not lacking
    for record in records:
        about = {*claims[record.claim].about}
        assert record.strength == ("engine" if "page" in about and not about & {"model", "judge"} else "model")
        for program in about & fakes:
            assert record.about[program].version == version + (" over WebKitGTK 2" if "page" in about else "")
    assert {record.strength for record in records} == {"engine", "model"}
