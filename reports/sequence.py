"""A run as a sequence diagram: who sent what to whom, where a fault struck, where something really happened.

`diagram` makes rows of a kept run; `svg` draws them. Lanes are the stack and each process. The picture needs no script:
each row has a title that a reader's pointer shows.
"""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from reports.plain import one_line

LIMIT = 64
"""Rows of one picture; the middle of a longer run is left out, and the picture says so."""
LABEL = 46
LANE_WIDTH = 190
ROW_HEIGHT = 22
TOP = 46
MARGIN = 70
LETTER_WIDTH = 7


@dataclass(frozen=True, slots=True)
class Row:
    """One row. kind: frame, stderr, start, exit, closed, signal, effect, refused, changed, fault, ask, answer, cut.

    source, target: lanes; equal for what happens in one place. text: the label; more: the title; marked: it is what a
    verdict points at.
    """

    kind: str
    source: int
    target: int
    text: str
    more: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Diagram:
    """Lanes by name, and rows in the order of the run."""

    lanes: tuple[str, ...]
    rows: tuple[Row, ...]


def diagram(
    history: Sequence[Mapping[str, Any]],
    world: Sequence[Mapping[str, Any]],
    journal: Sequence[Mapping[str, Any]],
    *,
    world_marks: frozenset[int] = frozenset(),
    frame_marks: frozenset[int] = frozenset(),
    limit: int = LIMIT,
) -> Diagram:
    """Rows of a run. world_marks, frame_marks: numbers of world lines and journal events that verdicts point at."""
    lanes = Lanes(journal)
    placed: list[tuple[tuple[float, float], Row]] = []
    methods: dict[tuple[int, str, Any], str] = {}
    for event in journal:
        row = _journal_row(event, lanes, methods, event["n"] in frame_marks)
        if row:
            placed.append(((event["n"], 0), row))
    for line in world:
        row = _world_row(line, lanes.of(line.get("p", 0)), line["n"] in world_marks)
        if row:
            placed.append(((line.get("j", line["n"]) - 0.5, line["k"]), row))
    for line in history:
        row = _history_row(line)
        if row:
            placed.append(((line.get("j", line["n"]) - 0.5, line["k"]), row))
    placed.sort(key=lambda pair: pair[0])
    return _narrowed(Diagram(lanes.names(), _cut(_joined([row for _, row in placed]), limit)))


class Lanes:
    """Process to lane. A program that is started again after its end comes back in the same lane."""

    def __init__(self, journal: Sequence[Mapping[str, Any]]) -> None:
        self._programs: list[list[str | int]] = []
        """Program and how many of its processes a lane has; lane 1 first."""
        self._lane: dict[int, int] = {}
        self._parent: dict[int, int] = {}
        free: dict[str, list[int]] = {}
        program: dict[int, str] = {}
        for event in journal:
            if event["e"] == "started":
                p, name = event["p"], event["program"]
                waiting = free.setdefault(name, [])
                if not waiting:
                    self._programs.append([name, 0])
                    waiting.append(len(self._programs))
                self._lane[p] = waiting.pop(0)
                self._programs[self._lane[p] - 1][1] += 1  # type: ignore[operator]
                self._parent[p] = self._lane.get(event.get("parent") or 0, 0)
                program[p] = name
            elif event["e"] == "exited" and event["p"] in program:
                free[program[event["p"]]].append(self._lane[event["p"]])

    def of(self, p: int) -> int:
        return self._lane.get(p, 0)

    def parent(self, p: int) -> int:
        return self._parent.get(p, 0)

    def names(self) -> tuple[str, ...]:
        return ("stack", *(f"{name} ×{count}" if count != 1 else str(name) for name, count in self._programs))


def _journal_row(
    event: Mapping[str, Any], lanes: Lanes, methods: dict[tuple[int, str, Any], str], marked: bool
) -> Row | None:
    lane, parent = lanes.of(event["p"]), lanes.parent(event["p"])
    match event["e"]:
        case "started":
            arguments = " ".join(map(str, event.get("argv") or ()))
            return Row("start", parent, lane, "start", one_line(arguments, 400), marked)
        case "bytes":
            label = _label(event, methods)
            more = one_line(str(event.get("b", event.get("b64", ""))), 400)
            if event["s"] == "in":
                return Row("frame", parent, lane, label, more, marked)
            return Row("stderr" if event["s"] == "err" else "frame", lane, parent, label, more, marked)
        case "exited":
            status = event["status"]
            words = f"exit {status}" if status >= 0 else f"killed by signal {-status}"
            return Row("exit", lane, lane, words, "", marked)
        case "signalled":
            return Row("signal", lane, lane, f"signal {event['number']}", "", marked)
        case "closed":
            return Row("closed", lane, lane, f"end of {event['s']}", "", marked)
    return None


def _label(event: Mapping[str, Any], methods: dict[tuple[int, str, Any], str]) -> str:
    """Method and kind of a frame, without a codec: what is no JSON object is shown as it begins."""
    text = str(event.get("b", ""))
    if event["s"] == "err":
        return one_line(text.strip(), LABEL)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return one_line(text.strip() or "bytes", LABEL)
    if not isinstance(value, dict):
        return one_line(text.strip(), LABEL)
    method, id = value.get("method"), value.get("id")
    way, back = ("in", "out") if event["s"] == "in" else ("out", "in")
    if isinstance(method, str):
        if "id" in value:
            methods[event["p"], way, repr(id)] = method
        tool = (value.get("params") or {}).get("tool") if isinstance(value.get("params"), dict) else None
        return one_line(f"{method} {tool}" if isinstance(tool, str) else method, LABEL)
    asked = methods.get((event["p"], back, repr(id)), "")
    word = "error" if "error" in value else "result"
    return one_line(f"{word} of {asked}" if asked else word, LABEL)


def _world_row(line: Mapping[str, Any], lane: int, marked: bool) -> Row | None:
    more = one_line(str({key: value for key, value in line.items() if key not in ("n", "t", "k", "j")}), 400)
    match line["e"]:
        case "effect":
            target = line.get("target") or {}
            what = target.get("node") or target.get("app") or next(iter(target.values()), "")
            return Row("effect", lane, lane, one_line(f"{line['verb']} {what}", LABEL), more, marked)
        case "refused":
            return Row("refused", lane, lane, one_line(f"refused {line['verb']}: {line['why']}", LABEL), more, marked)
        case "changed":
            return Row("changed", lane, lane, one_line(f"changed by {line['by']}", LABEL), more, marked)
        case "fault":
            return Row("fault", lane, lane, one_line(f"fault {line['fault']}", LABEL), more, marked)
        case "violation":
            return Row("refused", lane, lane, one_line(f"violation: {line.get('why', '')}", LABEL), more, marked)
    return None


def _history_row(line: Mapping[str, Any]) -> Row | None:
    match line["e"]:
        case "asked":
            return Row("ask", 0, 0, one_line(f"call {line['call']}: {line['tool']}", LABEL))
        case "answered":
            code = f" ({line['code']})" if line.get("code") else ""
            return Row("answer", 0, 0, one_line(f"call {line['call']}: {line['outcome']}{code}", LABEL))
        case "questioned":
            return Row("ask", 0, 0, f"question in call {line['call']}")
        case "replied":
            answer = line.get("answer") or {}
            return Row("answer", 0, 0, one_line(f"the user: {answer.get('action', 'no answer')}", LABEL))
        case "cancelled":
            return Row("answer", 0, 0, f"call {line['call']} cancelled")
    return None


def _joined(rows: list[Row]) -> list[Row]:
    """Lines of stderr one after another from one process are one row."""
    joined: list[Row] = []
    for row in rows:
        last = joined[-1] if joined else None
        if last and row.kind == last.kind == "stderr" and (row.source, row.target) == (last.source, last.target):
            joined[-1] = Row(
                "stderr", row.source, row.target, last.text, f"{last.more}\n{row.more}"[:400], last.marked or row.marked
            )
        else:
            joined.append(row)
    return joined


def _cut(rows: list[Row], limit: int) -> tuple[Row, ...]:
    """At most `limit` rows: what is marked, what happened in the world, and the two ends stay."""
    if len(rows) <= limit:
        return tuple(rows)
    weight = [
        (0 if row.marked else 1 if row.kind in ("fault", "effect", "ask", "answer", "refused") else 2, -index)
        for index, row in enumerate(rows)
    ]
    kept = {index for _, index in sorted((each, -each[1]) for each in weight)[: limit - 1]}
    shown: list[Row] = []
    left_out = 0
    for index, row in enumerate(rows):
        if index in kept:
            if left_out:
                shown.append(Row("cut", 0, 0, f"… {left_out} more"))
            left_out = 0
            shown.append(row)
        else:
            left_out += 1
    return (*shown, Row("cut", 0, 0, f"… {left_out} more")) if left_out else tuple(shown)


def _narrowed(drawn: Diagram) -> Diagram:
    """Only the lanes that a row uses."""
    used = sorted({0} | {lane for row in drawn.rows for lane in (row.source, row.target)})
    place = {lane: index for index, lane in enumerate(used)}
    rows = tuple(
        Row(row.kind, place[row.source], place[row.target], row.text, row.more, row.marked) for row in drawn.rows
    )
    return Diagram(tuple(drawn.lanes[lane] for lane in used), rows)


def svg(drawn: Diagram, title: str) -> str:
    """The picture. Colours come from the page's style sheet by class; every text is escaped."""
    width = 2 * MARGIN + LANE_WIDTH * (len(drawn.lanes) - 1) + LANE_WIDTH
    height = TOP + ROW_HEIGHT * (len(drawn.rows) + 1)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [f'<svg class="sequence" {size} role="img" aria-label="{escape(title)}">']
    for index, name in enumerate(drawn.lanes):
        x = _x(index)
        parts.append(f'<line class="lane" x1="{x}" y1="{TOP - 14}" x2="{x}" y2="{height - 8}"/>')
        parts.append(f'<text class="lane-name" x="{x}" y="22">{escape(one_line(name, 24))}</text>')
    for index, row in enumerate(drawn.rows):
        parts.append(_drawn(row, TOP + ROW_HEIGHT * index + 12))
    parts.append("</svg>")
    return "".join(parts)


def _x(lane: int) -> int:
    return MARGIN + LANE_WIDTH * lane


MARKS = {
    "effect": "◆", "refused": "◇", "changed": "△", "fault": "✕", "exit": "■", "signal": "!", "closed": "▫", "ask": "?",
    "answer": "=", "cut": "",
}  # fmt: skip
"""Kind of a row in one place -> its sign, so that no meaning hangs on colour alone."""


def _drawn(row: Row, y: int) -> str:
    css = f"row {row.kind}" + (" marked" if row.marked else "")
    title = f"<title>{escape(row.more)}</title>" if row.more else ""
    if row.source == row.target:
        x = _x(row.source)
        text = f"{MARKS.get(row.kind, '')} {row.text}".strip()
        return f'<g class="{css}">{title}<text class="place" x="{x + 6}" y="{y + 4}">{escape(text)}</text></g>'
    start, end = _x(row.source), _x(row.target)
    left, right = min(start, end), max(start, end)
    head = 6 if end > start else -6
    return (
        f'<g class="{css}">{title}<line x1="{start}" y1="{y}" x2="{end}" y2="{y}"/>'
        f'<path d="M{end} {y} l{-head} -3.5 v7 z"/>'
        f'<text x="{(left + right) // 2}" y="{y - 4}">{escape(_fitted(row.text, right - left))}</text></g>'
    )


def _fitted(text: str, width: int) -> str:
    """As much of a label as fits between two lanes `width` apart."""
    room = width // LETTER_WIDTH - 2
    return text if len(text) <= room else text[: room - 1] + "…"
