"""What a report says, as data: the view model. Computed from the material, and from nothing else."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.evidence import STRENGTHS
from harness.evidence.material import Material
from harness.evidence.summary import ClaimState
from harness.judged.run import INAPPLICABLE, Judged
from harness.laws.table import LAWS
from harness.laws.verdict import EXIT_CODES, combine
from reports.plain import one_line, plain
from reports.sequence import diagram, svg
from reports.transcript import transcript

DRAWN = 120
"""Pictures of one report; runs beyond that are listed without one."""
STRONGEST_FIRST = tuple(reversed(STRENGTHS))
SENTENCES = {
    "holds": "Every claim that was judged holds.",
    "broken": "At least one claim or law is broken.",
    "unknown": "Nothing is broken, but something could not be judged.",
    "nothing": "Nothing was judged.",
}


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim. word: its verdict as people read it; by: what shows it; about: program, back and version."""

    id: str
    kind: str
    text: str
    word: str
    strength: str
    about: str
    teeth: tuple[str, ...]
    by: tuple[str, ...]
    dates: str
    elsewhere: int


@dataclass(frozen=True, slots=True)
class LawRow:
    """One law over all runs of the report."""

    number: int
    title: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that a verdict says of a run. what: `law 3` or the item's words."""

    what: str
    word: str
    why: str
    claims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunView:
    """One run. label: its back, profile and plan; applied: whether its plan fired (None: it has none); transcript: what
    a decision loop says that it did."""

    label: str
    word: str
    applied: bool | None
    points: tuple[Point, ...]
    again: str
    picture: str
    strength: str
    run: str
    open: bool
    transcript: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScenarioView:
    """One scenario with its runs; matrix: fault plan -> verdict word or `inapplicable`."""

    name: str
    title: str
    runs: tuple[RunView, ...]
    matrix: tuple[tuple[str, str], ...]

    @property
    def word(self) -> str:
        return combine(run.word for run in self.runs if run.applied is not False)


@dataclass(frozen=True, slots=True)
class Page:
    """A report. word: the verdict on the whole, `nothing` where there is none; exit_code belongs to it."""

    word: str
    sentence: str
    exit_code: int
    strengths: tuple[tuple[str, int], ...]
    words: tuple[tuple[str, int], ...]
    groups: tuple[tuple[str, tuple[ClaimRow, ...]], ...]
    not_shown: tuple[tuple[str, tuple[str, ...]], ...]
    laws: tuple[LawRow, ...]
    scenarios: tuple[ScenarioView, ...]
    products: tuple[tuple[str, str], ...]
    build: tuple[tuple[str, str], ...]
    platforms: tuple[str, ...]
    dates: tuple[str, ...]
    machines: tuple[str, ...]
    runs: int
    inapplicable: int
    undrawn: int
    notes: tuple[str, ...] = field(default=())

    def troubled(self) -> tuple[ScenarioView, ...]:
        """The scenarios in which something is broken or unknown."""
        return tuple(scenario for scenario in self.scenarios if scenario.word != "holds")


TITLES = {
    "HAR": "The harness itself",
    "CUA": "Computer Use",
    "SAF": "Safari through MCP",
    "JXA": "Safari through Apple Events",
    "CHR": "Chrome",
}


def page(material: Material, lacking: Mapping[str, Sequence[str]] | None = None, notes: Sequence[str] = ()) -> Page:
    """The view model. lacking: claim -> why runs that were to show it do not; notes: what the whole run left out."""
    rows = [_claim(state, material) for state in material.states]
    groups: dict[str, list[ClaimRow]] = {}
    for row in rows:
        groups.setdefault(TITLES.get(row.id[:3], row.id[:3]), []).append(row)
    drawn = _drawn(material.runs)
    scenarios = _scenarios(material.runs, drawn)
    word = _word(material)
    return Page(
        word=word,
        sentence=SENTENCES[word],
        exit_code=EXIT_CODES["unknown" if word == "nothing" else word],
        strengths=_strengths(rows),
        words=tuple(sorted(Counter(row.word for row in rows).items())),
        groups=tuple((title, tuple(found)) for title, found in groups.items()),
        not_shown=_not_shown(material.states, lacking or {}),
        laws=_laws(material.runs),
        scenarios=scenarios,
        products=_products(material),
        build=tuple(sorted(material.build.items())),
        platforms=tuple(sorted({record.platform for record in material.ledger})),
        dates=_span(sighting.date for found in material.seen.values() for sighting in found),
        machines=tuple(sorted({sighting.machine for found in material.seen.values() for sighting in found})),
        runs=len(material.runs),
        inapplicable=sum(not run.applicable for run in material.runs),
        undrawn=len(material.runs) - len(drawn),
        notes=tuple(notes),
    )


def _word(material: Material) -> str:
    """The whole: every claim that has a verdict, and every kept run that is applicable."""
    words = [state.verdict for state in material.states if state.verdict is not None]
    words += [run.word for run in material.runs if run.applicable]
    return combine(words) if words else "nothing"


def _claim(state: ClaimState, material: Material) -> ClaimRow:
    about = sorted({f"{name} {' '.join(origin)}" for shown in state.shown_by for name, origin in shown.about.items()})
    runs = {shown.run for shown in state.shown_by}
    dates = _span(sighting.date for run in runs for sighting in material.seen.get(run, ()))
    return ClaimRow(
        state.claim.id, state.claim.kind, plain(state.claim.text), state.word, state.strength or "none",
        one_line("; ".join(about)), tuple(map(one_line, state.teeth)),
        tuple(dict.fromkeys(one_line(shown.by) for shown in state.shown_by)), " to ".join(dates), state.elsewhere,
    )  # fmt: skip


def _span(dates: Any) -> tuple[str, ...]:
    """The first and the last date, one where they are the same."""
    found = sorted(date[:10] for date in dates)
    return tuple(dict.fromkeys((found[0], found[-1]))) if found else ()


def _strengths(rows: Sequence[ClaimRow]) -> tuple[tuple[str, int], ...]:
    counts = Counter(row.strength for row in rows if row.word == "holds")
    held = [(strength, counts[strength]) for strength in STRONGEST_FIRST]
    return (*held, ("none", len(rows) - sum(counts.values())))


def _not_shown(
    states: Sequence[ClaimState], lacking: Mapping[str, Sequence[str]]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Why -> claims that have no verdict."""
    reasons: dict[str, list[str]] = {}
    for state in states:
        if state.verdict is None:
            why = sorted(set(lacking.get(state.claim.id, ())))
            if not why and state.elsewhere:
                why = ["its evidence was made with other sources than these"]
            for reason in why or ["no scenario or test of this ledger speaks of it"]:
                reasons.setdefault(one_line(reason), []).append(state.claim.id)
    return tuple((reason, tuple(found)) for reason, found in sorted(reasons.items()))


def _laws(runs: Sequence[Judged]) -> tuple[LawRow, ...]:
    counts: dict[int, Counter[str]] = {number: Counter() for number in LAWS}
    for run in runs:
        if not run.applicable:
            continue
        for verdict in run.laws:
            counts[verdict.law]["nothing to judge" if verdict.moot else verdict.verdict] += 1
    return tuple(LawRow(number, LAWS[number].name, dict(counts[number])) for number in sorted(LAWS))


def _products(material: Material) -> tuple[tuple[str, str], ...]:
    """Program -> back and version, over every record."""
    found: dict[str, set[str]] = {}
    for record in material.ledger:
        for program, origin in record.about.items():
            found.setdefault(program, set()).add(" ".join(origin.as_json()))
    return tuple((one_line(program), one_line(", ".join(sorted(words)))) for program, words in sorted(found.items()))


def _drawn(runs: Sequence[Judged]) -> frozenset[str]:
    """The names of the runs that get a picture: trouble first, then runs without faults, then the rest."""

    def rank(run: Judged) -> tuple[bool, bool, str]:
        return run.word == "holds" or not run.applicable, _planned(run), run.run.name

    return frozenset(run.run.name for run in sorted(runs, key=rank)[:DRAWN])


def _scenarios(runs: Sequence[Judged], drawn: frozenset[str]) -> tuple[ScenarioView, ...]:
    found: dict[str, list[Judged]] = {}
    for run in runs:
        found.setdefault(str(run.run.sheet.get("scenario", "")), []).append(run)
    views = []
    for name, group in found.items():
        group.sort(key=lambda run: (_planned(run), _label(run), run.run.name))
        title = str(group[0].run.sheet.get("title") or name)
        matrix = tuple((_label(run), _applied(run)) for run in group if _planned(run))
        runs_of = tuple(_view(run, run.run.name in drawn) for run in group)
        views.append(ScenarioView(one_line(name), plain(title), runs_of, matrix))
    return tuple(views)


def _applied(run: Judged) -> str:
    return run.word if run.applicable else INAPPLICABLE


def _planned(run: Judged) -> bool:
    return bool((run.run.sheet.get("plan") or {}).get("faults"))


def _label(run: Judged) -> str:
    sheet = run.run.sheet
    plan = (sheet.get("plan") or {}).get("faults") or ()
    faults = ", ".join(f"{each['fault']} at {_place(each.get('at') or {})}" for each in plan)
    parts = [sheet.get("case"), sheet.get("profile"), f"{sheet.get('back')} {sheet.get('mode')}", faults or "no fault"]
    return one_line(" · ".join(str(part) for part in parts if part), 160)


def _place(at: Mapping[str, Any]) -> str:
    words = [at.get("program"), at.get("way"), at.get("kind"), at.get("method"), at.get("moment")]
    nth = at.get("nth", 1)
    return " ".join(str(word) for word in words if word) + (f" #{nth}" if nth != 1 else "") or "the first place"


def _view(run: Judged, draw: bool) -> RunView:
    troubled = run.word != "holds" and run.applicable
    points = [
        Point(one_line(said.says), said.verdict, plain(said.why, 600), said.claims) for said in run.then
    ] + [
        Point(f"law {verdict.law}, {LAWS[verdict.law].name}", verdict.verdict, plain(verdict.why, 600))
        for verdict in run.laws
        if not verdict.moot
    ]
    return RunView(
        label=_label(run),
        word=run.word,
        applied=run.applicable if _planned(run) else None,
        points=tuple(sorted(points, key=lambda point: ("broken", "unknown", "holds").index(point.word))),
        again=one_line(run.again),
        picture=_picture(run) if draw else "",
        strength=", ".join(
            f"{one_line(program)} {' '.join(origin.as_json())}"
            for program, origin in sorted(run.run.provenance.origins.items())
        ),
        run=run.run.name,
        open=troubled,
        transcript=transcript(run.run.history),
    )


def _picture(run: Judged) -> str:
    pointing: list[Any] = [*(each for each in run.laws if each.verdict != "holds"), *run.then]
    trouble = [each for each in pointing if each.verdict != "holds"]
    drawn = diagram(
        run.run.history,
        run.run.world,
        run.run.journal,
        world_marks=frozenset(n for each in trouble for n in each.world),
        frame_marks=frozenset(n for each in trouble for _, n in each.frames),
    )
    return svg(drawn, f"frames of {_label(run)}")
