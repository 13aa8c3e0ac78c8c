"""What judging needs of a run sheet, checked. All else in it is the business of the scenario that it came from."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.kept.problem import KeptProblem
from harness.tape.schema import shown

VERSION = 1
BACKS = ("model", "tape", "engine", "live")
MODES = ("virtual", "process")
CANARY_SIZE = 8
"""Fewer bytes would be found by chance."""
ADVICE = "make the run again from its scenario"

REQUIRED: Mapping[str, tuple[type, str]] = {
    "v": (int, f"{VERSION}: version of the run sheet"),
    "scenario": (str, "path of the scenario below scenarios/"),
    "subject": (str, "name of the system under verification"),
    "back": (str, f"one of {', '.join(BACKS)}"),
    "mode": (str, f"one of {', '.join(MODES)}"),
    "seed": (int, "a whole number"),
    "steps": (list, "a list of steps"),
}
OPTIONAL: Mapping[str, tuple[type, str]] = {
    "plan": (dict, "a fault plan"),
    "bounds": (dict, "name of a bound -> its number"),
    "ends_calls": (list, "told events with which the caller ends calls that run; none where it is not there"),
    "canaries": (list, "a list of `{name, value, allowed, planted}`"),
    "goal": (list, "a list of objects, each of which a line of the world record must contain"),
    "stack": (dict, "whose stack it was, where it is not one of the project's: {file, name, version, from, adapter}"),
    "services": (dict, "program that is connected to instead of started -> its address"),
    "keeps": (list, "names of files that may stay; a name that ends in `/` stands for a folder"),
}
CANARY: Mapping[str, tuple[type, str]] = {
    "name": (str, "what to call it where its value must not be written"),
    "value": (str, f"text of at least {CANARY_SIZE} bytes"),
    "allowed": (list, "places where it may be found, `*` for any part"),
    "planted": (str, "where the runner put it, where the sheet itself does not show that"),
}


def check_sheet(sheet: Mapping[str, Any], file: str | None = None) -> None:
    """Raises KeptProblem where a sheet lacks what the laws read, or is of a newer version."""
    version = sheet.get("v")
    if type(version) is int and version > VERSION:
        raise KeptProblem(f"run sheet of version {version}", f"version {VERSION}", "use a newer trailcam", file=file)
    for table, required in ((REQUIRED, True), (OPTIONAL, False)):
        for key, (kind, meaning) in table.items():
            value = sheet.get(key)
            if (value is None and required) or (value is not None and type(value) is not kind):
                raise KeptProblem(f"{key} = {shown(value)} in a run sheet", meaning, ADVICE, file=file)
    for key, values in (("v", (VERSION,)), ("back", BACKS), ("mode", MODES)):
        if sheet[key] not in values:
            raise KeptProblem(f"{key} = {shown(sheet[key])} in a run sheet", REQUIRED[key][1], ADVICE, file=file)
    for key in ("steps", "goal"):
        for entry in sheet.get(key) or ():
            if type(entry) is not dict:
                raise KeptProblem(f"{shown(entry)} in {key} of a run sheet", "an object", ADVICE, file=file)
    for step in sheet["steps"]:
        if type(step.get("expect")) not in (dict, type(None)):
            raise KeptProblem(f"expect = {shown(step['expect'])} of a step", "an object", ADVICE, file=file)
    if not all(type(name) is str for name in sheet.get("keeps") or ()):
        raise KeptProblem(f"keeps = {shown(sheet['keeps'])}", OPTIONAL["keeps"][1], ADVICE, file=file)
    if not all(type(name) is str for name in sheet.get("ends_calls") or ()):
        raise KeptProblem(f"ends_calls = {shown(sheet['ends_calls'])}", OPTIONAL["ends_calls"][1], ADVICE, file=file)
    faults = (sheet.get("plan") or {}).get("faults", [])
    if type(faults) is not list or not all(type(entry) is dict for entry in faults):
        raise KeptProblem(f"faults = {shown(faults)} in a plan", "a list of objects", ADVICE, file=file)
    for canary in sheet.get("canaries") or ():
        _check_canary(canary, file)


def _check_canary(canary: Any, file: str | None) -> None:
    if type(canary) is not dict:
        raise KeptProblem("a canary that is no object", OPTIONAL["canaries"][1], ADVICE, file=file)
    for key in canary:
        if key not in CANARY:
            raise KeptProblem(f"{shown(key)} of a canary", f"one of {', '.join(CANARY)}", ADVICE, file=file)
    for key, (kind, meaning) in CANARY.items():
        if (key in canary or key in ("value", "allowed")) and type(canary.get(key)) is not kind:
            raise KeptProblem(f"{key} of a canary that is no {kind.__name__}", meaning, ADVICE, file=file)
    if len(canary["value"].encode("utf-8", "surrogatepass")) < CANARY_SIZE:
        raise KeptProblem("a canary that is too short", CANARY["value"][1], "plant a longer one", file=file)
    if not all(type(place) is str for place in canary["allowed"]):
        raise KeptProblem(f"allowed = {shown(canary['allowed'])} of a canary", CANARY["allowed"][1], ADVICE, file=file)
