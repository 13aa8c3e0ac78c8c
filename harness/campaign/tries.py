"""The runs that may notice a change of the stack: of each scenario as it is, its cases, and its standard fault plans.

Each is a run sheet, run in virtual time on the model back, and judged as `trailcam run` judges it. What it came to with
the stack as it is stands beside it: a change is noticed where something is broken that was not broken before.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.faults.standard import PAST_DEADLINE_MS, label, standard
from harness.judged.run import Judged
from harness.problem import Problem, UsageProblem
from harness.scenario.compile import SEED, Choice, applies, compile_sheet
from harness.scenario.keep import judge_records
from harness.scenario.play import DEFECTS
from harness.scenario.runner import Records, run
from harness.scenario.scenario import ROOT, Scenario, load_scenario
from harness.serve.session import MachineFault

COULD_NOT_RUN = "could not run"


@dataclass(frozen=True, slots=True)
class Said:
    """What a run came to. run: its hash; broken: laws and items that are broken, by name; claims: their verdicts."""

    run: str
    word: str
    broken: tuple[str, ...]
    claims: Mapping[str, str]
    applicable: bool = True


@dataclass(frozen=True, slots=True)
class Try:
    """One run. what: `base`, a case's name, or a plan's label; kind: base, case or plan; said: with the stack as it
    is; again: the command that makes it."""

    scenario: str
    what: str
    kind: str
    sheet: Mapping[str, Any]
    said: Said
    again: str

    @property
    def name(self) -> str:
        """`SCENARIO: WHAT`."""
        return f"{self.scenario}: {self.what}"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Try:
        said = data["said"]
        return cls(**{**data, "said": Said(**{**said, "broken": tuple(said["broken"])})})


def scenarios_of(system: str, path: Path | None = None, root: Path = ROOT) -> list[Scenario]:
    """The scenarios of a system that run in virtual time on the model, by name; or the one at `path`."""
    found = all_of(system, path, root)
    return [each for each in found if "virtual" in each.runs and "model" in each.backs]


def all_of(system: str, path: Path | None = None, root: Path = ROOT) -> list[Scenario]:
    """The scenarios of a system, by name; or the one at `path`."""
    if path is not None:
        files = [each for each in (path, root / path) if each.is_file()][:1]
        if not files:
            raise UsageProblem(f"no scenario {str(path)!r}", f"a file, or a path below {root}/", "see `ls scenarios/*`")
    else:
        files = sorted((root / system).rglob("*.yaml"))
    found = [load_scenario(file) for file in files]
    return [each for each in found if each.system.name == system]


def warm(scenarios: Sequence[Scenario]) -> None:
    """Make the first scenario's run here, before the forks: most of what a child's first run costs is what it imports
    and builds once, and so no child has to. What it comes to is of no interest."""
    for scenario in scenarios[:1]:
        if not scenario.stranger:
            attempt(compile_sheet(scenario, Choice()))


def said_of(judged: Judged) -> Said:
    """What a judged run says."""
    broken = [f"law {each.law}" for each in judged.laws if each.verdict == "broken"]
    broken += [f"then: {each.says}" for each in judged.then if each.verdict == "broken"]
    return Said(judged.run.name, judged.word, tuple(broken), judged.claims, judged.applicable)


def attempt(sheet: Mapping[str, Any], *, census: bool = False) -> tuple[Said, Judged | None, Records | None]:
    """Run and judge a sheet. A run that a defect ends is broken, by that."""
    try:
        records = run(sheet, census=census)
        judged = judge_records(records)
    except (Problem, MachineFault, *DEFECTS) as error:
        return Said("", "broken", (f"{COULD_NOT_RUN}: {first_words(error)}",), {}), None, None
    return said_of(judged), judged, records


def first_words(error: BaseException) -> str:
    """The first error in a group, in one line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}".partition("\n")[0][:200]


def sheets_of(scenario: Scenario) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(kind, what, sheet) of a scenario as it is and of its cases, with the newest profile; and with each other one of
    the scenario as it is, and of the cases that are of that profile alone."""
    newest = scenario.profiles[-1]
    for profile in reversed(scenario.profiles):
        at = "" if profile == newest else f" ({profile})"
        yield "base", f"base{at}", compile_sheet(scenario, Choice(profile))
        for case in scenario.cases.values():
            other = profile != newest and applies(case.only, newest, "virtual", "model")
            if not other and applies(case.only, profile, "virtual", "model"):
                yield "case", f"{case.name}{at}", compile_sheet(scenario, Choice(profile, case=case.name))


def plans_of(scenario: Scenario, census: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The same of its standard fault plans."""
    bounds = compile_sheet(scenario, Choice())["bounds"]
    chosen = standard(census, SEED, first=scenario.about, changes=scenario.given.get("changes", ()),
                      past_deadline_ms=bounds.get("call_ms", PAST_DEADLINE_MS))  # fmt: skip
    for plan in chosen.plans:
        yield "plan", label(plan), compile_sheet(scenario, Choice(plan=plan))


def tries_of(
    scenario: Scenario, watch: Callable[[Callable[[], Any]], tuple[Any, list[int]]]
) -> Iterator[tuple[Try, list[int], Records | None]]:
    """The runs of a scenario with what they came to, the numbers of the guards that each of them reached, which `watch`
    tells of a run, and what it left. A run whose fault did not fire says nothing, and is left out."""
    census: Sequence[Mapping[str, Any]] = ()
    plans = scenario.given.get("plans") == "standard"

    def tried(kind: str, what: str, sheet: dict[str, Any]) -> Iterator[tuple[Try, list[int], Records | None]]:
        nonlocal census
        wants = plans and not census and kind == "base"
        (said, judged, records), reached = watch(lambda: attempt(sheet, census=wants))
        if wants and records is not None:
            census = records.census or ()
        if said.applicable:
            yield Try(scenario.name, what, kind, sheet, said, "" if judged is None else judged.again), reached, records

    for each in sheets_of(scenario):
        yield from tried(*each)
    for each in plans_of(scenario, census) if census else ():
        yield from tried(*each)
