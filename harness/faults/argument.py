"""One argument of a fault: its type, bounds and default, and whether a value in a plan fits.

Separate because the catalogue declares arguments, the plan checks them, and docs/faults.md lists them.
"""
from __future__ import annotations

from harness.faults.problem import PlanProblem, nearest
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.wire.jsontext import Json

TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "number": (int, float),
    "text": (str,),
    "bool": (bool,),
    "object": (dict,),
    "json": (type(None), bool, int, float, str, list, dict),
}
"""Name of a type -> the Python types of its JSON values. A bool is no int and no number."""


class Argument:
    """One argument. low and high are inclusive; choices, where given, are all there is.

    A default of None means that the fault chooses (its docstring says how); the value may then be null in a plan too.
    """

    __slots__ = ("type", "default", "unit", "meaning", "low", "high", "choices")

    def __init__(
        self,
        type: str,
        default: Json,
        unit: str,
        meaning: str,
        *,
        low: float | None = None,
        high: float | None = None,
        choices: tuple[Json, ...] = (),
    ) -> None:
        self.type = type
        self.default = default
        self.unit = unit
        self.meaning = meaning
        self.low = low
        self.high = high
        self.choices = choices

    def why_not(self, value: Json) -> str | None:
        """What was expected, where `value` does not fit; None where it does."""
        if value is None and self.default is None:
            return None
        if not isinstance(value, TYPES[self.type]) or (isinstance(value, bool) and self.type in ("int", "number")):
            return f"a value of type {self.type}"
        if self.choices and value not in self.choices:
            return f"one of {', '.join(dumps(choice) for choice in self.choices)}"
        if isinstance(value, int | float) and not isinstance(value, bool):
            if self.low is not None and not value >= self.low:
                return f"at least {self.low}"
            if self.high is not None and not value <= self.high:
                return f"at most {self.high}"
        return None


def complete(
    table: Mapping[str, Argument], given: Mapping[str, Json], fault: str, where: str, file: str | None
) -> dict[str, Json]:
    """The arguments with defaults filled in. Raises PlanProblem for an unknown name or a value that does not fit."""
    for name in given:
        if name not in table:
            raise PlanProblem(
                f"{where}.{name}{nearest(name, list(table))}",
                f"{', '.join(table)} as arguments of {fault}" if table else f"no arguments: {fault} has none",
                f"see `trailcam faults {fault}`",
                file=file,
            )
    filled: dict[str, Json] = {}
    for name, argument in table.items():
        value = given.get(name, argument.default)
        expected = argument.why_not(value)
        if expected is not None:
            raise PlanProblem(
                f"{where}.{name} = {dumps(value)[:80]}", expected, f"see `trailcam faults {fault}`", file=file
            )
        filled[name] = value
    return filled
