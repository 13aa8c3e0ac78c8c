"""What a release report says, as data: claims, our build against real products, what kills it, what is not shown.

Computed from the committed evidence of the release alone; no verdict, figure or date is typed in anywhere.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from harness.evidence.material import Material
from harness.evidence.record import Record
from harness.evidence.summary import ClaimState
from reports.page import Page, page
from reports.plain import one_line
from reports.release_evidence import About

NOT_RUN = "not run"
OVER = " over "
"""Between the version that a fake stands for and the engine in it."""
BACKS = ("live", "engine", "tape", "model")
"""Columns of the matrix, from strong to weak."""
KINDS = ("guard", "fault", "broken")


class Product(NamedTuple):
    """One row of the matrix. program: as claims are about it; version: how the origin's begins, empty for any."""

    name: str
    program: str
    version: str


PRODUCTS = (
    Product("codex app-server 0.144.2", "codex", "0.144.2"),
    Product("codex app-server 0.171.0", "codex", "0.171.0"),
    Product("Computer Use helper", "helper", ""),
    Product("codesign of macOS 26", "codesign", "macOS 26"),
    Product("lsappinfo of macOS 26", "lsappinfo", "macOS 26"),
    Product("lsappinfo of macOS 27", "lsappinfo", "macOS 27"),
    Product("safaridriver of Safari 27", "safaridriver", "27"),
    Product("safaridriver of Safari Technology Preview", "safaridriver", "technology-preview"),
    Product("osascript of macOS 26", "osascript", "macOS 26"),
    Product("Chromium", "browser", "Chromium"),
    Product("our extension in Chromium", "extension", "Chromium"),
    Product("pages in Chromium", "page", "Chromium"),
    Product("Google Chrome", "browser", "Google Chrome"),
    Product("our extension in Google Chrome", "extension", "Google Chrome"),
    Product("pages in Google Chrome", "page", "Google Chrome"),
    Product("Microsoft Edge", "browser", "Microsoft Edge"),
    Product("our extension in Microsoft Edge", "extension", "Microsoft Edge"),
    Product("pages in Microsoft Edge", "page", "Microsoft Edge"),
    Product("our native host", "host", ""),
    Product("pages in Safari 27", "page", "27"),
    Product("pages in Safari Technology Preview", "page", "technology-preview"),
    Product("pages in Safari of macOS 26", "page", "macOS 26"),
    Product("pages in WebKitGTK", "page", "WebKitGTK"),
    Product("an operating system, simulated", "os", "virtual host"),
    Product("processes, files and locks of Linux", "os", "linux"),
    Product("processes, files and locks of macOS", "os", "darwin"),
    Product("processes, files and registry of Windows", "os", "win32"),
    Product("the model that decides", "model", ""),
    Product("the judge", "judge", ""),
)
"""What the claims promise something about. What is not here and has evidence gets a row of its own."""


@dataclass(frozen=True, slots=True)
class Cell:
    """How much of our build was shown on one back of one product. claims: that hold; ran: whether anything ran at all;
    date: the last day of it."""

    claims: int = 0
    ran: bool = False
    date: str = ""

    @property
    def words(self) -> str:
        """As a reader sees it."""
        if not self.claims:
            return "run, and no claim holds by it" if self.ran else NOT_RUN
        return f"{self.claims} claim{'s' if self.claims != 1 else ''}" + (f", {self.date}" if self.date else "")


@dataclass(frozen=True, slots=True)
class Row:
    """One product. cells: in the order of BACKS; strongest: the strongest back by which a claim holds, or `not run`."""

    product: str
    cells: tuple[Cell, ...]
    strongest: str


@dataclass(frozen=True, slots=True)
class Kill:
    """What turned the claims of one part. counts: kind of tooth -> claims that have one; judged, toothless: claims."""

    part: str
    judged: int
    counts: tuple[tuple[str, int], ...]
    toothless: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Killer:
    """One thing that breaks claims when it is done to the stack or a run. tooth: `guard:…`, `fault:…`, `broken:…`."""

    tooth: str
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Release:
    """A release report. page: what an ordinary report of the same evidence says."""

    version: str
    page: Page
    matrix: tuple[Row, ...]
    kills: tuple[Kill, ...]
    killers: tuple[Killer, ...]
    guards: bool
    left_out: tuple[tuple[str, int], ...]


def release(material: Material, about: About, guards: Mapping[str, Sequence[str]]) -> Release:
    """The view. material: of the release's evidence; guards: claim -> guards whose removal breaks it."""
    view = page(material)
    held = {state.claim.id for state in material.states if state.verdict == "holds"}
    teeth = {state.claim.id: (*state.teeth, *guards.get(state.claim.id, ())) for state in material.states}
    return Release(
        one_line(about.version),
        view,
        matrix(material, held),
        kills(material.states, teeth),
        killers(material.states, teeth),
        about.guards,
        tuple((what, count) for what, count in about.left_out.items() if count),
    )


def matrix(material: Material, held: Collection[str]) -> tuple[Row, ...]:
    """One row a product. held: claims that hold; a record of another claim only says that something ran."""
    found: dict[Product, dict[str, list[Record]]] = {product: {} for product in PRODUCTS}
    for record in material.ledger:
        for program, origin in record.about.items():
            if program != "harness":
                backs = found.setdefault(product_of(program, origin.version), {})
                backs.setdefault(origin.strength, []).append(record)
    rows = []
    for product, backs in found.items():
        cells = tuple(_cell(backs.get(back, ()), held, material) for back in BACKS)
        strongest = next((back for back, cell in zip(BACKS, cells, strict=True) if cell.claims), NOT_RUN)
        rows.append(Row(product.name, cells, strongest))
    return tuple(rows)


def _cell(records: Sequence[Record], held: Collection[str], material: Material) -> Cell:
    claims = {record.claim for record in records if record.verdict == "holds" and record.claim in held}
    days = [sighting.date[:10] for record in records for sighting in material.seen.get(record.run, ())]
    return Cell(len(claims), bool(records), max(days, default=""))


def product_of(program: str, version: str) -> Product:
    """The row that a program of this version belongs to. A fake with an engine in it is no run of the product: it has a
    row of its own, which names both."""
    stood_for, _, engine = version.partition(OVER)
    if engine:
        return Product(one_line(f"our fake of {product_of(program, stood_for).name}, over {engine}"), program, version)
    for product in PRODUCTS:
        if product.program == program and _is_of(version, product.version):
            return product
    return Product(one_line(f"{program} {version}"), program, version)


def _is_of(version: str, begin: str) -> bool:
    """Whether a version is the one that a row names, or a further one of it: 27.0 of 27, and not 270 or 27-beta."""
    return not begin or version == begin or version.startswith((f"{begin} ", f"{begin}."))


def kills(states: Iterable[ClaimState], teeth: Mapping[str, Sequence[str]]) -> tuple[Kill, ...]:
    """By part of the claims' ids: how many of those that have a verdict are turned, and by what."""
    parts: dict[str, list[ClaimState]] = {}
    for state in states:
        if state.verdict is not None:
            parts.setdefault(state.claim.id.rpartition("-")[0], []).append(state)
    found = []
    for part, judged in parts.items():
        counts: Counter[str] = Counter()
        for state in judged:
            counts.update({tooth.partition(":")[0] for tooth in teeth[state.claim.id]})
        toothless = tuple(state.claim.id for state in judged if not teeth[state.claim.id])
        found.append(Kill(part, len(judged), tuple((kind, counts[kind]) for kind in KINDS), toothless))
    return tuple(found)


def killers(states: Iterable[ClaimState], teeth: Mapping[str, Sequence[str]]) -> tuple[Killer, ...]:
    """Each tooth with the claims that it turns, sorted."""
    found: dict[str, list[str]] = {}
    for state in states:
        for tooth in teeth[state.claim.id]:
            found.setdefault(one_line(tooth), []).append(state.claim.id)
    return tuple(Killer(tooth, tuple(dict.fromkeys(claims))) for tooth, claims in sorted(found.items()))
