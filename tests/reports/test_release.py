"""What a release says: a matrix that claims nothing for what did not run, and kills that name what nothing turns."""
from __future__ import annotations

from collections.abc import Sequence

import pytest

from harness.claims import Claim, load_claims
from harness.evidence.material import Material
from harness.evidence.record import Record
from harness.evidence.seen import Sighting
from harness.evidence.summary import summary
from harness.kept.origin import Origin
from harness.laws.verdict import Word
from harness.subjects import SUBJECTS
from reports.release import BACKS, NOT_RUN, PRODUCTS, Cell, Release, product_of, release
from reports.release_evidence import About
from tests.reports.made import BUILD
from tests.tidy.tree import ROOT

CLAIMS = {
    id: Claim(id, "behaviour", "ours", about, "a promise")
    for id, about in {
        "CUA-RUN-02": ("codex",), "CUA-RUN-03": ("codex",), "CUA-LOCK-01": ("os",), "JXA-FOC-01": ("osascript",),
        "CHR-SNAP-01": ("browser", "extension", "page"),
    }.items()
}  # fmt: skip


def record(claim: str, back: str, version: str, verdict: Word = "holds", teeth: Sequence[str] = ("fault:drop",),
           platform: str = "linux", run: str = "1" * 64) -> Record:  # fmt: skip
    about = {program: Origin(back, version) for program in CLAIMS[claim].about}
    return Record(claim, verdict, about, "scenario:a.yaml", run, platform, tuple(teeth), BUILD)


def made(*records: Record, guards: dict[str, list[str]] | None = None) -> Release:
    seen = {"1" * 64: (Sighting("1" * 64, "2026-02-03", "linux"), Sighting("1" * 64, "2026-01-09", "linux"))}
    material = Material(CLAIMS, summary(records, CLAIMS, BUILD), records, (), seen, BUILD)
    return release(material, About("0.1.0", BUILD, {"this": 2, "that": 0}, guards is not None), guards or {})


def cells(view: Release, product: str) -> dict[str, str]:
    [row] = [row for row in view.matrix if row.product == product]
    return {back: cell.words for back, cell in zip(BACKS, row.cells, strict=True)}


@pytest.mark.claim("HAR-RPT-03")
def test_a_product_that_did_not_run_is_not_run_on_any_back() -> None:
    view = made(record("CUA-RUN-02", "engine", "0.171.0"))
    assert cells(view, "codex app-server 0.171.0")["engine"] == "1 claim, 2026-02-03"
    for row in view.matrix:
        if row.product != "codex app-server 0.171.0":
            assert {cell.words for cell in row.cells} == {NOT_RUN}
            assert row.strongest == NOT_RUN


@pytest.mark.claim("HAR-RPT-03")
def test_linux_shows_nothing_of_macos_or_windows_and_one_version_nothing_of_another() -> None:
    view = made(record("CUA-LOCK-01", "engine", "linux"), record("CUA-RUN-02", "model", "0.144.2"))
    assert cells(view, "processes, files and locks of Linux")["engine"].startswith("1 claim")
    for product in ("processes, files and locks of macOS", "processes, files and registry of Windows",
                    "codex app-server 0.171.0"):  # fmt: skip
        assert set(cells(view, product).values()) == {NOT_RUN}


def test_backs_are_kept_apart_and_the_strongest_is_named() -> None:
    view = made(
        record("CUA-RUN-02", "model", "0.171.0"), record("CUA-RUN-03", "model", "0.171.0"),
        record("CUA-RUN-02", "engine", "0.171.0"),
    )  # fmt: skip
    assert [words.split(",")[0] for words in cells(view, "codex app-server 0.171.0").values()] == [
        NOT_RUN, "1 claim", NOT_RUN, "2 claims",
    ]  # fmt: skip
    [row] = [row for row in view.matrix if row.product == "codex app-server 0.171.0"]
    assert row.strongest == "engine"


def test_what_ran_and_does_not_hold_counts_for_nothing() -> None:
    """Neither a broken record, nor a record that holds of a claim that is broken elsewhere or has no teeth."""
    for records in (
        [record("CUA-RUN-02", "engine", "0.171.0", "broken")],
        [record("CUA-RUN-02", "engine", "0.171.0"), record("CUA-RUN-02", "model", "0.144.2", "broken")],
        [record("CUA-RUN-02", "engine", "0.171.0", teeth=())],
    ):
        view = made(*records)
        assert cells(view, "codex app-server 0.171.0")["engine"] == "run, and no claim holds by it"
        assert view.page.word != "holds"


def test_a_product_that_the_table_does_not_have_gets_its_own_row() -> None:
    view = made(record("CUA-RUN-02", "live", "0.200.1"), record("JXA-FOC-01", "model", "unknown", run="2" * 64))
    assert cells(view, "codex 0.200.1")["live"] == "1 claim, 2026-02-03"
    assert cells(view, "osascript unknown")["model"] == "1 claim"


def test_every_row_of_the_table_is_found_by_its_own_program_and_version() -> None:
    for product in PRODUCTS:
        assert product_of(product.program, product.version) == product
    assert len({product.name for product in PRODUCTS}) == len(PRODUCTS)


def test_what_systems_stand_for_and_what_browsers_say_of_themselves_has_its_row() -> None:
    """No fake and no engine gets a row by the way, or counts for the product of somebody else."""
    said = {"Chromium 150.0.1 built on Debian": "Chromium", "Google Chrome 150.0.1": "Google Chrome",
            "Microsoft Edge 150.0.1": "Microsoft Edge"}  # fmt: skip
    for version, name in said.items():
        rows = [product_of(program, version).name for program in ("browser", "extension", "page")]
        assert rows == [name, f"our extension in {name}", f"pages in {name}"]
    assert product_of("page", "WebKitGTK 2.50.1").name == "pages in WebKitGTK"
    about = {program for claim in load_claims(ROOT / "scenarios/claims").values() for program in claim.about}
    for subject in SUBJECTS.values():
        for profile in subject.profiles.values():
            versions = {name: version for program, version in profile.versions.items()
                        for name in (program, *subject.inside.get(program, ()))}  # fmt: skip
            for program in about.intersection(versions):
                assert product_of(program, versions[program]) in PRODUCTS, (program, versions[program])


@pytest.mark.parametrize(
    ("program", "version"),
    [("codex", "0.171.01"), ("codex", "0.171.0-alpha.1"), ("codex", ""), ("safaridriver", "270"), ("os", "linux2"),
     ("lsappinfo", "macOS 261"), ("browser", "Chromiumlike 3"), ("page", "Firefox 150"), ("page", "2.50.1"),
     ("page", ""), ("extension", "Firefox 150")],
)  # fmt: skip
def test_what_only_begins_like_a_row_has_a_row_of_its_own(program: str, version: str) -> None:
    assert product_of(program, version) not in PRODUCTS


def test_a_fake_with_an_engine_in_it_is_no_run_of_the_product() -> None:
    view = made(record("JXA-FOC-01", "engine", "macOS 26 over WebKitGTK 2.50.6"))
    assert set(cells(view, "osascript of macOS 26").values()) == {NOT_RUN}
    assert cells(view, "our fake of osascript of macOS 26, over WebKitGTK 2.50.6")["engine"] == "1 claim, 2026-02-03"


def test_of_chromium_there_is_what_ran_and_of_chrome_nothing() -> None:
    view = made(record("CHR-SNAP-01", "engine", "Chromium 150.0.1 built on Debian"))
    for product in ("Chromium", "our extension in Chromium", "pages in Chromium"):
        assert cells(view, product)["engine"] == "1 claim, 2026-02-03"
    for product in ("Google Chrome", "Microsoft Edge", "our extension in Microsoft Edge", "pages in Microsoft Edge",
                    "pages in WebKitGTK", "our native host"):
        assert set(cells(view, product).values()) == {NOT_RUN}


def test_kills_name_the_claims_that_nothing_turns() -> None:
    view = made(
        record("CUA-RUN-02", "model", "0.171.0", teeth=("fault:drop", "fault:crash", "broken:x")),
        record("CUA-RUN-03", "model", "0.171.0", teeth=()),
        guards={"CUA-RUN-02": ["guard:a.py#b"]},
    )
    [kill] = view.kills
    assert (kill.part, kill.judged, kill.counts) == ("CUA-RUN", 2, (("guard", 1), ("fault", 1), ("broken", 1)))
    assert kill.toothless == ("CUA-RUN-03",)
    assert [(killer.tooth, killer.claims) for killer in view.killers] == [
        (tooth, ("CUA-RUN-02",)) for tooth in ("broken:x", "fault:crash", "fault:drop", "guard:a.py#b")
    ]
    assert view.guards
    assert view.left_out == (("this", 2),)


def test_words_of_a_cell() -> None:
    assert [Cell().words, Cell(1, True).words, Cell(2, True, "2026-01-01").words, Cell(0, True).words] == [
        NOT_RUN, "1 claim", "2 claims, 2026-01-01", "run, and no claim holds by it",
    ]  # fmt: skip
