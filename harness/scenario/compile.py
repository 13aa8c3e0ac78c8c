"""A scenario, and the choice of how it is run, to a run sheet: a pure function, so that one choice is one run.

No path of this machine is in a sheet: an engine stands in it by its name. What can't be had (an engine behind a fake's
own settings, a profile that a scenario does not run with) is refused here, before anything starts.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.faults.plan import Plan
from harness.faults.problem import nearest
from harness.kept.origin import BACKS
from harness.kept.sheet import VERSION
from harness.scenario.problem import ScenarioProblem
from harness.scenario.scenario import Case, Item, Scenario
from harness.subjects import STRANGERS, Subject
from harness.wire.jsontext import JsonTextError, loads

SEED = 7
"""The seed of `trailcam verify`, and of `trailcam run` where none is given."""
OVERLAID = ("world", "programs", "settings")
REPLACED = ("modes", "steps", "goal", "host", "told_ms")
ADVICE = "choose another, or change the scenario"


@dataclass(frozen=True, slots=True)
class Choice:
    """How a scenario is run. profile: "" for the newest that it runs with. case: "" for the scenario itself.

    plan: faults in place of the case's. without: id of a fault of the case that is left out, or `situation` for what
    else is different in it (the same items are asserted of the run: so a case shows its teeth). broken: `{broken,
    with}` of a broken stack.
    """

    profile: str = ""
    back: str = "model"
    mode: str = "virtual"
    seed: int = SEED
    case: str = ""
    plan: Mapping[str, Any] | None = None
    without: str = ""
    broken: Mapping[str, Any] | None = None


SITUATION = "situation"
SURROUNDINGS = ("environment ", "home ")
"""How a canary's `planted` begins where the runner plants it around the stack: a variable, or a file of the home."""


def compile_sheet(scenario: Scenario, choice: Choice) -> dict[str, Any]:
    """The run sheet. Raises ScenarioProblem for a choice that this scenario does not have."""
    profile = choice.profile or scenario.profiles[-1]
    case = case_of(scenario, choice.case)
    check_choice(scenario, case, choice, profile)
    given = {**scenario.given, **overlaid(scenario, case, choice)}
    steps = [_step(step) for step in given["steps"]]
    if case is not None:
        _expect(steps, case)
        given["goal"] = case.given.get("goal", [])
    system = scenario.system
    items = () if choice.plan is not None else scenario.then if case is None else case.then
    sheet: dict[str, Any] = {
        "v": VERSION,
        "scenario": scenario.name,
        "title": scenario.title,
        "limits": scenario.given.get("limits", []),
        "subject": system.name,
        "about": list(scenario.about),
        "profile": profile,
        "back": choice.back,
        "mode": choice.mode,
        "seed": choice.seed,
        "world": given.get("world", {}),
        "programs": merged({program: dict(each) for program, each in system.profiles[profile].programs.items()},
                           given.get("programs", {})),
        "settings": given.get("settings", {}),
        "start_ms": {**system.start_ms, **given.get("start_ms", {})},
        "modes": given.get("modes", []),
        "wires": {
            **{program: {"stdio": system.dialects[program]} for program in system.parts},
            **{channel.program: {"stdio": "lines"} for channel in system.channels.values()},
        },
        "bounds": {**system.bounds, **given.get("bounds", {})},
        "ends_calls": list(system.ends_calls),
        "canaries": [each for each in given.get("canaries", []) if is_planted(each, choice.mode)],
        "goal": given.get("goal", []),
        "keeps": [f"{stack}{name}" for stack in _stacks(steps) for name in (*system.writes, *given.get("keeps", []))],
        "steps": steps,
        "then": [sheet_item(item) for item in items if applies(item.only, profile, choice.mode, choice.back)],
        "laws": {str(number): list(claims) for number, claims in scenario.laws.items()},
    }
    sheet.update({key: given[key] for key in ("host", "told_ms") if given.get(key)})
    if system.services:
        sheet["services"] = dict(system.services)
    if scenario.stranger is not None:
        sheet["stack"] = dict(scenario.stranger)
    sheet.update(_plan(case, choice))
    if case is not None:
        sheet["case"] = case.name
    if choice.without:
        sheet["without"] = choice.without
    if choice.broken is not None:
        sheet["broken"] = dict(choice.broken)
    _put_backs(sheet, scenario, choice, profile)
    return sheet


def case_of(scenario: Scenario, name: str) -> Case | None:
    """The case of that name, None for the scenario itself. Raises ScenarioProblem."""
    if not name:
        return None
    if name not in scenario.cases:
        names = list(scenario.cases)
        raise ScenarioProblem(f"the case {name!r}{nearest(name, names)}",
                              f"one of {', '.join(map(repr, names)) or 'none: it has no cases'}", ADVICE,
                              file=scenario.file)
    return scenario.cases[name]


def check_choice(scenario: Scenario, case: Case | None, choice: Choice, profile: str) -> None:
    """Raises ScenarioProblem unless the scenario can be run as it is chosen."""
    if scenario.system.name in STRANGERS and scenario.stranger is None:
        raise ScenarioProblem(f"no stack for the subject {scenario.system.name!r}", "the adapter of somebody's stack",
                              "give --stack ADAPTER.yaml; see docs/bring-your-own-stack.md", file=scenario.file)
    for what, name, known in (
        ("profile", profile, scenario.profiles),
        ("back", choice.back, scenario.backs),
        ("mode", choice.mode, tuple(BACKS)),
    ):
        if name not in known:
            raise ScenarioProblem(f"{what} {name!r} of {scenario.name}", f"one of {', '.join(known)}", ADVICE,
                                  file=scenario.file)
    if choice.back not in BACKS[choice.mode]:
        raise ScenarioProblem(f"back {choice.back} in mode {choice.mode}", "mode process", "give --mode process",
                              file=scenario.file)
    if case is not None and not applies(case.only, profile, choice.mode, choice.back):
        raise ScenarioProblem(f"the case {case.name!r} with {profile}, {choice.mode}, {choice.back}",
                              f"what its `only` has: {dict(case.only)}", ADVICE, file=scenario.file, line=case.line)


def applies(only: Mapping[str, tuple[str, ...]], profile: str, mode: str, back: str) -> bool:
    """Whether something with this `only` counts in a run."""
    chosen = {"profile": profile, "mode": mode, "back": back}
    return all(chosen[key] in names for key, names in only.items())


def is_planted(canary: Mapping[str, Any], mode: str) -> bool:
    """Whether a run of this mode has the place where a canary is to be planted: only a process has surroundings."""
    return mode == "process" or not str(canary.get("planted", "")).startswith(SURROUNDINGS)


def runs_on(scenario: Scenario, case: Case | None, back: str) -> bool:
    """Whether a case can be run on a back at all: real programs take no settings of a fake, and a tape holds one
    session, the scenario's own."""
    if back == "model":
        return True
    if back == "tape" and case is not None:
        return False
    return not any(
        program in given.get("programs", {})
        for given in (scenario.given, case.given if case else {})
        for program in scenario.system.profiles[scenario.profiles[-1]].engines
    )


def overlaid(scenario: Scenario, case: Case | None, choice: Choice) -> dict[str, Any]:
    """The sections that a case changes, as they are in its run."""
    if case is None or choice.without == SITUATION:
        return {key: case.given[key] for key in ("steps",) if case is not None and key in case.given}
    found = {key: merged(scenario.given.get(key, {}), case.given[key]) for key in OVERLAID if key in case.given}
    return found | {key: case.given[key] for key in REPLACED if key in case.given}


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """`above` put over `below`, member by member; lists and scalars are replaced."""
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        result[key] = merged(old, value) if both else value  # type: ignore[arg-type]
    return result


def _step(step: Mapping[str, Any]) -> dict[str, Any]:
    """A step as a run sheet has it, without the shorthands of the file."""
    made = dict(step)
    if "call" in made:
        made["call"] = {"tool": made["call"], "arguments": made.pop("arguments", {})}
        made.setdefault("means", None)
    if isinstance(made.get("expect"), str):
        made["expect"] = {"outcome": made["expect"]}
    return made


def _expect(steps: list[dict[str, Any]], case: Case) -> None:
    """What the scenario's steps expect holds where nothing is different. In a case it holds of the case's own steps, of
    those that its `expect` names, and of the next attempts after its faults."""
    changes = case.given.get("expect", {})
    for step in steps:
        if step.get("as") in changes:
            wanted = changes[step["as"]]
            step["expect"] = {"outcome": wanted} if isinstance(wanted, str) else wanted
        elif "steps" not in case.given and not ("faults" in case.given and step.get("again")):
            step.pop("expect", None)


def _stacks(steps: list[dict[str, Any]]) -> list[str]:
    """The beginning of the paths of each stack's files, as the runner names them."""
    return ["", *(f"{step['open']}/" for step in steps if "open" in step)]


def sheet_item(item: Item) -> dict[str, Any]:
    """An item as a run sheet has it."""
    return {"claims": list(item.claims), **item.data}


def _plan(case: Case | None, choice: Choice) -> dict[str, Any]:
    """`plan`, and `planned`: whether the case says it, so that a command need not repeat it."""
    if choice.plan is not None:
        return {"plan": Plan(choice.plan, choice.seed).as_json(), "planned": "given"}
    entries = [entry for entry in (case.given.get("faults", []) if case else []) if entry["id"] != choice.without]
    return {"plan": Plan({"v": 1, "faults": entries}, choice.seed).as_json(), "planned": "case"}


def _put_backs(sheet: dict[str, Any], scenario: Scenario, choice: Choice, profile: str) -> None:
    """What stands behind the programs that have another back than the model."""
    system: Subject = scenario.system
    engines, backing = system.profiles[profile].engines, system.profiles[profile].backing
    if choice.back == "model":
        return
    if choice.back == "tape" and choice.case:
        raise ScenarioProblem(f"back tape in the case {choice.case!r}", "the scenario as it is: a tape has one session",
                              "run it on the back model", file=scenario.file)
    if not runs_on(scenario, case_of(scenario, choice.case), choice.back):
        raise ScenarioProblem(f"back {choice.back} with settings of a fake", f"no settings of {', '.join(engines)}",
                              "run it on the back model", file=scenario.file)
    programs = {program: each for program, each in sheet["programs"].items() if program not in engines}
    if choice.back == "engine":
        if not engines and backing is None:
            raise ScenarioProblem(f"back engine for {system.name} {profile}", "a profile with an engine", ADVICE,
                                  file=scenario.file)
        for program, (engine, dialect) in engines.items():
            programs[program] = {"engine": engine, "dialect": dialect}
        sheet["backs"] = dict.fromkeys((*engines, *(backing.parts if backing else ())), "engine")
        if backing is not None:
            sheet["carries"] = {
                program: [part for part in parts if part in backing.parts] for program, parts in system.inside.items()
            }
    else:
        tapes = scenario.given.get("tapes", {}).get(profile, {})
        if not tapes:
            advice = "record one with `trailcam record`"
            raise ScenarioProblem(f"back tape of {profile}", "a tape under `tapes`", advice, file=scenario.file)
        for program, tape in tapes.items():  # its arguments name places of the machine it was recorded on
            programs[program] = {"tape": tape, "argv": "free"}
        sheet["backs"] = dict.fromkeys(tapes, "tape")
        sheet["goal"] = []  # a tape answers and changes nothing: no world shows what its calls mean to change
        sheet["steps"] = [{**step, "means": None} if "call" in step else step for step in sheet["steps"]]
    sheet["programs"] = programs


def plan_of(text: str, file: str | None = None) -> dict[str, Any]:
    """A plan in JSON, checked. Raises PlanProblem, or ScenarioProblem where it is no JSON."""
    try:
        data = loads(text)
    except JsonTextError as error:
        raise ScenarioProblem(f"a plan that is no JSON: {error}", "a plan as in docs/faults.md", "correct it",
                              file=file) from None
    return Plan(data, file=file).as_json()  # type: ignore[arg-type]
