"""One unit worked off: its runs, their verdicts, what turned them, and the evidence for each claim.

In this order: the scenario as it is, with its census; each of its cases; the broken stacks that must turn its claims;
and the standard fault plans, chosen from the census and judged by the laws. A plan that did not fire is inapplicable,
and counted. Nothing here decides what is shown: that follows from records.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness.campaign.teeth import guard_teeth
from harness.claims import Claim
from harness.evidence.collect import evidence_of_run
from harness.evidence.teeth import teeth_of
from harness.faults.standard import LIMIT, PAST_DEADLINE_MS, standard
from harness.judged.run import Judged
from harness.judged.then import LAW, form_of
from harness.laws.verdict import Word
from harness.problem import Problem
from harness.scenario.broken import name_of as name_of_broken
from harness.scenario.compare import first_difference, outcomes
from harness.scenario.compile import SEED, SITUATION, Choice, applies, compile_sheet, runs_on
from harness.scenario.keep import judge_records, keep
from harness.scenario.play import DEFECTS
from harness.scenario.runner import Records, run
from harness.scenario.scenario import Case, Scenario, Tooth
from harness.serve.session import MachineFault
from harness.verify.units import Unit

FEW = 6
"""Fault plans of a scenario that does not ask for all: the most telling ones."""
BACKS = "backs"
"""In the place of a form: the same scenario came to something else on another back."""
KEPT_BYTES = 1 << 20
"""A run under a plan that holds is not kept where its journal is larger: one frame of it may have megabytes."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not hold. verdict: broken or unknown; what: the run; again: the command that repeats it; law:
    the number of the law that said so, 0 for anything else; form: of the `then` item that did, or BACKS where two
    backs do not agree."""

    verdict: Word
    what: str
    why: str
    again: str
    law: int = 0
    form: str = ""


@dataclass(slots=True)
class Result:
    """What came of a unit.

    runs: kind of run (base, case, tooth, plan, inapplicable) -> how many. laws: `NUMBER VERDICT` -> how many. records:
    lines of a ledger; names: hashes of the runs that gave them. absent: standard plans whose place the scenario does
    not have; cut: those over the limit of its `plans`. kept: folders of the runs that were kept; not_kept: the commands
    of those that were too large. repeated: what did not hold in runs that were made again (harness/verify/again.py).
    """

    unit: Unit
    runs: Counter[str] = field(default_factory=Counter)
    laws: Counter[str] = field(default_factory=Counter)
    records: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    lacking: list[tuple[str, str]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    not_kept: list[str] = field(default_factory=list)
    repeated: list[Finding] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """One line of a worker's answer."""
        return {
            "unit": self.unit.as_json(), "runs": dict(self.runs), "laws": dict(self.laws), "records": self.records,
            "names": self.names, "lacking": [list(pair) for pair in self.lacking],
            "findings": [asdict(finding) for finding in self.findings], "absent": self.absent, "cut": self.cut,
            "kept": self.kept, "not_kept": self.not_kept,
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        return cls(
            Unit.from_json(data["unit"]), Counter(data["runs"]), Counter(data["laws"]), list(data["records"]),
            list(data["names"]), [(claim, why) for claim, why in data["lacking"]],
            [Finding(**finding) for finding in data["findings"]], list(data["absent"]), list(data["cut"]),
            list(data["kept"]), list(data["not_kept"]),
        )  # fmt: skip


class Work:
    """See the module. folder: where runs are kept; None: nowhere."""

    def __init__(self, scenario: Scenario, unit: Unit, claims: Mapping[str, Claim], folder: Path | None) -> None:
        self.result = Result(unit)
        self._scenario = scenario
        self._unit = unit
        self._claims = claims
        self._folder = folder
        self._guards = guard_teeth()
        self._home = "process" if scenario.stranger else "virtual"
        """The mode in which the scenario has its cases and fault plans: somebody else's stack is a process."""

    def do(self) -> Result:
        """Run everything of the unit."""
        records = self._main("", None)
        for case in self._scenario.cases.values():
            if self._has(case):
                self._main(case.name, case)
        limit = self._limit()
        if records is not None and limit:
            self._plans(records.census or [], limit)
        return self.result

    def _limit(self) -> int:
        """How many fault plans the unit has."""
        unit = self._unit
        if (unit.back, unit.mode) != ("model", self._home):
            return 0
        plans = self._scenario.given.get("plans", "few")
        few = FEW if unit.teeth or self._scenario.stranger else 0
        return LIMIT if plans == "standard" else few if plans == "few" else 0

    def _has(self, case: Case) -> bool:
        """Whether the case is run in this unit; as processes on the model only where it asks for that by name."""
        unit = self._unit
        if unit.mode != self._home and unit.back == "model" and unit.mode not in case.only.get("mode", ()):
            return False
        return applies(case.only, unit.profile, unit.mode, unit.back) and runs_on(self._scenario, case, unit.back)

    # The scenario as it is, and its cases

    def _main(self, name: str, case: Case | None) -> Records | None:
        choice = self._choice(case=name)
        ran = self._run(choice, "case" if name else "base", census=not name and self._unit.mode == self._home)
        if ran is None:
            return None
        records, judged = ran
        self._note(judged)
        for id in judged.unfired:
            why = f"fault {id} of the case did not fire, so the case shows nothing"
            self.result.findings.append(Finding("unknown", self._words(judged), why, judged.again))
        if judged.applicable:
            self._evidence(judged, dict(self._variations(judged.claims, name, case)))
        only = {} if case is None else case.only
        if self._unit.back != "model" and "model" in self._scenario.backs \
                and applies(only, self._unit.profile, "virtual", "model"):  # fmt: skip
            self._agree(records, choice, judged)
        return records

    def _choice(self, **fields: Any) -> Choice:
        return Choice(self._unit.profile, self._unit.back, self._unit.mode, SEED, **fields)

    def _run(self, choice: Choice, kind: str, *, census: bool = False) -> tuple[Records, Judged] | None:
        sheet = compile_sheet(self._scenario, choice)
        self.result.runs[kind] += 1
        try:
            records = run(sheet, census=census)
            judged = judge_records(records)
        except (Problem, MachineFault, *DEFECTS) as problem:  # this run shows nothing; the others go on
            words = f"{self._unit.words}{': ' + choice.case if choice.case else ''}"
            self.result.findings.append(Finding("unknown", words, f"could not run: {_first(problem)}", ""))
            return None
        if self._folder is not None and kind != "tooth":
            self._keep(judged, kind)
        return records, judged

    def _keep(self, judged: Judged, kind: str) -> None:
        assert self._folder is not None
        if kind == "plan" and judged.word == "holds" and size_of(judged.run.journal) > KEPT_BYTES:
            self.result.not_kept.append(judged.again)
        else:
            self.result.kept.append(keep(judged, self._folder).name)

    def _note(self, judged: Judged) -> None:
        """Count the verdicts of the laws, and put down what does not hold."""
        for law in judged.laws:
            self.result.laws[f"{law.law} {'moot' if law.moot else law.verdict}"] += 1
        items = judged.run.sheet.get("then") or ()
        said = [(law.verdict, f"law {law.law}: {law.why}", law.law, "") for law in judged.laws if not law.moot]
        said += [(each.verdict, f"{each.says}: {each.why}", items[each.item].get(LAW, 0), form_of(items[each.item]))
                 for each in judged.then]  # fmt: skip
        for verdict, why, number, form in said:
            if verdict != "holds":
                self.result.findings.append(Finding(verdict, self._words(judged), why, judged.again, number, form))

    def _words(self, judged: Judged) -> str:
        case = judged.run.sheet.get("case")
        return self._unit.words + (f": {case}" if case else "")

    def _evidence(self, judged: Judged, variations: Mapping[str, Mapping[str, Word]]) -> None:
        teeth = teeth_of(judged.claims, variations)
        for claim, guards in self._guards.get(judged.run.name, {}).items():
            if claim in teeth:
                teeth[claim] = (*teeth[claim], *guards)
        records, lacking = evidence_of_run(self._claims, judged.claims, judged.run, teeth)
        self.result.records += [record.line() for record in records]
        self.result.lacking += [(each.claim, each.why) for each in lacking]
        if records:
            self.result.names.append(judged.run.name)

    # Teeth

    def _variations(
        self, held: Mapping[str, Word], name: str, case: Case | None
    ) -> Iterator[tuple[str, Mapping[str, Word]]]:
        """Name of what may turn the claims -> what they come to with it. Only for units that try their checks."""
        if not self._unit.teeth:
            return
        if case is not None:
            for entry in case.given.get("faults", []):
                said = self._said(self._choice(case=name, without=entry["id"]))
                if said is not None:
                    yield f"fault:{entry['fault']}", said
            if set(case.given) - {"faults", "steps", "expect", "goal"}:
                said = self._said(self._choice(case=name, without=SITUATION))
                if said is not None:
                    yield f"fault:{SITUATION} of {name!r}", said
        for tooth in self._scenario.teeth:
            if (tooth.of or "") == name:
                said = self._said(self._choice(case=name, broken=tooth.entry))
                if said is not None:
                    self._bites(tooth, held, said)
                    yield f"broken:{name_of_broken(tooth.entry)}", said

    def _said(self, choice: Choice) -> dict[str, Word] | None:
        ran = self._run(choice, "tooth")
        return None if ran is None else ran[1].claims

    def _bites(self, tooth: Tooth, held: Mapping[str, Word], said: Mapping[str, Word]) -> None:
        """A broken stack that turns nothing: a check can't fail, or the stack is not what it was thought to be."""
        for claim in tooth.turns:
            if said.get(claim) != "broken" and held.get(claim) == "holds":
                what = f"{self._scenario.file}:{tooth.line}"
                why = f"the broken stack {name_of_broken(tooth.entry)!r} does not break {claim}"
                self.result.findings.append(Finding("unknown", what, why, ""))

    # Fault plans

    def _plans(self, census: Sequence[Mapping[str, Any]], limit: int) -> None:
        scenario = self._scenario
        late_ms = compile_sheet(scenario, self._choice())["bounds"].get("call_ms", PAST_DEADLINE_MS)
        changes = scenario.given.get("changes", ())
        chosen = standard(
            census, SEED, first=scenario.about, changes=changes, past_deadline_ms=late_ms, limit=limit
        )
        self.result.absent += chosen.absent
        self.result.cut += chosen.cut
        for plan in chosen.plans:
            ran = self._run(self._choice(plan=plan), "plan")
            if ran is None:
                continue
            judged = ran[1]
            if not judged.applicable:
                self.result.runs["inapplicable"] += 1
                continue
            self._note(judged)
            broken: dict[str, Word] = {claim: word for claim, word in judged.claims.items() if word == "broken"}
            if broken:
                self.result.records += [
                    record.line() for record in evidence_of_run(self._claims, broken, judged.run)[0]
                ]
                self.result.names.append(judged.run.name)

    # Two backs

    def _agree(self, records: Records, choice: Choice, judged: Judged) -> None:
        """The same scenario on the model: what was answered, and what happened, must be the same (HAR-FAKE-01)."""
        why = disagreement(self._scenario, choice, records)
        if why is not None:
            self.result.findings.append(Finding("broken", self._words(judged), why, judged.again, form=BACKS))


def disagreement(scenario: Scenario, choice: Choice, records: Records) -> str | None:
    """Where a run on another back and the same on the model differ; None where they agree."""
    on_model = run(compile_sheet(scenario, Choice(choice.profile, "model", "virtual", choice.seed, choice.case)))
    worlds = choice.back != "tape"  # a tape answers, but changes nothing
    left_out = () if worlds else ("means",)
    books = [
        outcomes(_told(each.history, left_out), each.world if worlds else [], each.journal, each.roots)
        for each in (records, on_model)
    ]
    difference = first_difference(*books)
    return None if difference is None else f"the backs {choice.back} and model disagree: {difference:.600}"


def _told(history: Sequence[Mapping[str, Any]], left_out: Collection[str]) -> list[Mapping[str, Any]]:
    """The history without these members of its lines."""
    return [{name: value for name, value in line.items() if name not in left_out} for line in history]


def size_of(journal: Sequence[Mapping[str, Any]]) -> int:
    """Characters of what passed on the wires."""
    return sum(len(event.get("b", "")) + len(event.get("b64", "")) for event in journal if event["e"] == "bytes")


def _first(problem: BaseException) -> str:
    """The first error in a group, in words."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return str(problem) if isinstance(problem, Problem) else f"{type(problem).__name__}: {problem}"


def work(scenario: Scenario, unit: Unit, claims: Mapping[str, Claim], folder: Path | None) -> Result:
    """Work one unit off."""
    return Work(scenario, unit, claims, folder).do()
