"""A planted guard that nothing needs survives, one that a scenario needs is killed; reasons are checked in pairs."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.campaign.bench import Bench, Ground, named_by, package_of, stale_reasons
from harness.campaign.equivalent import Reason
from harness.campaign.executor import Lost, forked
from harness.campaign.removal import Package
from harness.campaign.scripts.browser import Kept
from harness.campaign.scripts.browser import write as write_kept
from harness.campaign.trial import Tried
from harness.campaign.tries import Said, Try, scenarios_of
from harness.campaign.verdict import counts
from harness.campaign.wrong_logic import Mistake
from harness.scenario.runner import ROOT
from harness.subjects import subject

FILE = "stack/computer_use/keys.py"
SYSTEM = subject("computer-use")
PACKAGE = package_of(SYSTEM, Path(ROOT))

SCENARIO = """scenario: A key is pressed in its official form
subject: computer-use
about: [codex, helper]
world: {approvals: {com.apple.Chess: always}}
steps:
  - {call: get_app_state, as: look, arguments: {app: Chess}, expect: done}
  - {call: press_key, as: press, arguments: {app: Chess, key: cmd+a}, expect: done}
then:
  - says: the key is in its official form
    every: {frames: {program: codex, way: ">>", method: mcpServer/tool/call, value: {params: {tool: press_key}}}}
    has: {value: {params: {arguments: {key: Meta_L+a}}}}
"""


def bench_with(scenario: Path, text: str) -> Bench:
    """A bench on a stack whose keys.py has another text, in this process, which has to be a child."""
    package = Package(PACKAGE.name, PACKAGE.root, {FILE: text})
    package.install({})
    return Bench(SYSTEM, package, scenarios_of("computer-use", scenario), 1, lambda words: None)


PLANT = """
def planted(key):
    if key == "never":
        raise ValueError(key)
    if key == "cmd+a":
        return None
    return key
"""


def planted_text() -> str:
    """keys.py whose `normalise` asks `planted` first; what it says None to is put into the official form."""
    text = PACKAGE.texts[FILE]
    at = '    stripped = key.strip()\n'
    assert text.count(at) == 1
    return text.replace(at, f"    if planted(key) is not None:\n        return key\n{at}") + PLANT


def test_a_toothless_guard_survives_and_a_good_one_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "press.yaml"
    path.write_text(SCENARIO)

    def job() -> dict[str, list[Any]]:
        bench = bench_with(path, planted_text())
        ground = bench.explore()
        assert not ground.unable
        assert len(ground.tries) == 2
        return {
            each.guard.id: [each.state, each.tried.how, each.tried.reach] for each in bench.judge("keys.py#planted", [])
        }

    ((_, answer),) = forked([job], 1)
    assert not isinstance(answer, Lost), answer
    assert answer == {
        f"guard:{FILE}#planted:raise:1": ["unreached", "", 0],
        f"guard:{FILE}#planted:refusal:1": ["killed", "then: the key is in its official form", 2],
    }


@pytest.mark.parametrize(("more", "killed"), [("", False), ("\nraise ValueError('at the import')\n", True)])
def test_a_stack_with_nothing_taken_out_is_noticed_by_nobody(tmp_path: Path, more: str, killed: bool) -> None:
    """Else every guard would be killed by the import, whatever the runs say."""
    path = tmp_path / "press.yaml"
    path.write_text(SCENARIO)
    package = Package(PACKAGE.name, PACKAGE.root, {FILE: PACKAGE.texts[FILE] + more})
    bench = Bench(SYSTEM, package, scenarios_of("computer-use", path), 1, lambda words: None)
    bench.explore()
    control = bench.control()
    assert (control.killed, "at the import" in control.how) == (killed, killed)
    assert control.made == (0 if killed else 1)


@pytest.fixture
def bench() -> Bench:
    made = Bench(SYSTEM, PACKAGE, [], 1, lambda words: None)
    said = Said("r", "holds", (), {})
    made.ground = Ground([Try("a", "base", "base", {}, said, "again")], {0: [0], 1: [0]}, {})
    return made


def removals(monkeypatch: pytest.MonkeyPatch, bench: Bench, killed: set[tuple[int, ...]]) -> None:
    def removed(numbers: list[int], thorough: bool, seen: Any = (), most: int | None = None) -> Any:
        return Tried(tuple(numbers) in killed, "law 1" * (tuple(numbers) in killed), made=1, reach=1).as_json()

    monkeypatch.setattr(bench, "_removed", removed)
    monkeypatch.setattr(bench, "_alone_of", lambda numbers, gone, thorough, by: {by: []})


@pytest.mark.parametrize(("killed", "state"), [({(0, 1)}, "equivalent"), (set(), "survived"), ({(0,)}, "killed")])
def test_a_reason_is_checked_by_taking_both_out(
    monkeypatch: pytest.MonkeyPatch, bench: Bench, killed: set[tuple[int, ...]], state: str
) -> None:
    removals(monkeypatch, bench, killed)
    first, second = bench.guards[0].id, bench.guards[1].id
    reason = Reason(first, (second,), "the other one does it.", 1)
    (verdict,) = bench.judge(first, [reason])
    assert verdict.state == state
    assert counts([verdict])[state] == 1
    assert bool(stale_reasons([reason], [verdict], bench.guards)) is (state == "killed")
    gone = Reason(f"{first}99", (second,), "the other one does it.", 1)
    assert len(stale_reasons([gone], [verdict], bench.guards)) == 1
    elsewhere = Reason("guard:stack/elsewhere/x.py#f:raise:1", ("guard:y",), "the other one does it.", 1)
    assert stale_reasons([elsewhere], [verdict], bench.guards) == []


def test_a_reason_with_a_guard_that_is_gone_explains_nothing(monkeypatch: pytest.MonkeyPatch, bench: Bench) -> None:
    removals(monkeypatch, bench, set())
    (verdict,) = bench.judge(bench.guards[0].id, [Reason(bench.guards[0].id, ("guard:gone",), "why", 1)])
    assert verdict.state == "survived"


@pytest.mark.parametrize(("alone", "both", "state"), [
    ((), ("law 1",), "equivalent"),
    (("law 1",), ("law 1",), "survived"),
    (("law 1",), ("law 1", "law 7"), "equivalent"),
    (None, ("law 1",), "untried"),
])  # fmt: skip
def test_two_guards_that_name_each_other_must_do_more_than_the_other_alone(
    monkeypatch: pytest.MonkeyPatch, bench: Bench, alone: tuple[str, ...] | None, both: tuple[str, ...], state: str
) -> None:
    """alone: what the run says without the other guard; None: it does not come to its end."""
    gone: list[str] = []

    def attempt(sheet: Any) -> Any:
        if alone is None and gone == [second]:
            raise RuntimeError("of the harness")
        found = {(first,): (), (second,): alone or (), (first, second): both}[tuple(gone)]
        return Said("r", "broken" if found else "holds", found, {}), None, None

    first, second = bench.guards[0].id, bench.guards[1].id
    monkeypatch.setattr("harness.campaign.trial.attempt", attempt)
    monkeypatch.setattr(Package, "install_without", lambda package, ids: gone.extend(ids))
    reasons = [Reason(first, (second,), "the other one does it.", 1), Reason(second, (first,), "this one does it.", 2)]
    (verdict,) = bench.judge(first, reasons)
    assert verdict.state == state
    assert ("nothing more is noticed" in verdict.why) is (state == "survived")


@pytest.mark.parametrize(("alone", "shown"), [((), True), (("law 1",), False)])
def test_where_the_other_alone_is_noticed_as_well_it_is_said_that_no_run_bears_the_reason_out(
    monkeypatch: pytest.MonkeyPatch, bench: Bench, alone: tuple[str, ...], shown: bool
) -> None:
    """alone: as above."""
    gone: list[str] = []

    def attempt(sheet: Any) -> Any:
        found = {(first,): (), (second,): alone, (first, second): ("law 1",)}[tuple(gone)]
        return Said("r", "broken" if found else "holds", found, {}), None, None

    first, second = bench.guards[0].id, bench.guards[1].id
    monkeypatch.setattr("harness.campaign.trial.attempt", attempt)
    monkeypatch.setattr(Package, "install_without", lambda package, ids: gone.extend(ids))
    (verdict,) = bench.judge(first, [Reason(first, (second,), "the other one does it.", 1)])
    assert (verdict.state, verdict.shown, "Not shown" in verdict.why) == ("equivalent", shown, not shown)


def test_no_reason_explains_a_guard_that_no_run_comes_by(monkeypatch: pytest.MonkeyPatch, bench: Bench) -> None:
    """Without both it would be the other alone that is missed."""
    first, second = bench.guards[5].id, bench.guards[0].id
    reached = bench._removed
    both = Tried(True, "law 1", made=1, reach=1).as_json()
    monkeypatch.setattr(bench, "_removed", lambda these, *rest, **m: both if len(these) > 1 else reached(these, *rest))
    (verdict,) = bench.judge(first, [Reason(first, (second,), "the other one does it.", 1)])
    assert verdict.state == "unreached"


def test_a_guard_that_could_not_be_tried_is_neither(monkeypatch: pytest.MonkeyPatch, bench: Bench) -> None:
    def removed(numbers: list[int], thorough: bool, most: int | None = None) -> Any:
        raise RuntimeError("of the harness")

    monkeypatch.setattr(bench, "_removed", removed)
    (verdict,) = bench.judge(bench.guards[0].id, [])
    assert (verdict.state, verdict.why) == ("untried", "could not be tried: RuntimeError: of the harness")


def test_what_no_run_reaches_is_said_to_be_unreached(bench: Bench) -> None:
    (verdict,) = bench.judge(bench.guards[5].id, [])
    assert verdict.state == "unreached"


def test_a_mistake_without_its_run_is_not_caught(bench: Bench) -> None:
    file = "stack/computer_use/keys.py"
    mistake = Mistake("m", "nowhere.yaml", "", file, 'return "plus"', 'return "minus"')
    ((_, tried),) = bench.mistakes([mistake])
    assert not tried.killed


def test_a_scenario_that_can_not_be_explored_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = scenarios_of("computer-use", Path("computer-use/small-differences-count.yaml"))

    def explored(*args: Any) -> Any:
        raise RuntimeError("of the harness")

    monkeypatch.setattr("harness.campaign.bench._explored", explored)
    ground = Bench(SYSTEM, PACKAGE, found, 1, lambda words: None).explore()
    assert ground.unable == ["computer-use/small-differences-count.yaml: RuntimeError: of the harness"]


# Guards of JavaScript

JXA = subject("safari-jxa")
JXA_PACKAGE = package_of(JXA, Path(ROOT))
SAID = Said("r", "holds", (), {})


def on_engine(what: str, steps: int) -> Try:
    return Try("a", what, "base", {"mode": "process", "back": "engine", "steps": [{}] * steps}, SAID, "again")


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A bench with one run on the model; the first number of each program is reached, on the engine by two runs."""
    made = Bench(JXA, JXA_PACKAGE, [], 1, lambda words: None)
    made.ground = Ground([Try("a", "base", "base", {"steps": []}, SAID, "again")])
    of = {name: numbered(made, name) for name in ("bridge.js#run.whole", "page.js#blocked", "page.js#PARTS")}

    def model(tries: list[Try], system: str, package: Package, numbers: Any) -> Any:
        return [[of["bridge.js#run.whole"]] for _ in tries]

    def engine(scenario: Any, system: Any, package: Package, numbers: Any) -> Any:
        return [(on_engine(f"base {steps}", steps).as_json(), [of["page.js#blocked"]]) for steps in (5, 3)]

    monkeypatch.setattr("harness.campaign.bench.reached_on_model", model)
    monkeypatch.setattr("harness.campaign.bench.explored_on_engine", engine)
    return made


def numbered(bench: Bench, part: str) -> int:
    return next(number for number, guard in enumerate(bench.guards) if part in guard.id)


def test_scripts_are_reached_where_they_are_carried_out(monkeypatch: pytest.MonkeyPatch, scripts: Bench) -> None:
    monkeypatch.setattr("harness.campaign.bench.lacking", lambda backing: "")
    scripts.explore_scripts(scenarios_of("safari-jxa", Path("safari-jxa/an-action-lands-once.yaml")))
    reached = scripts.ground.reached
    assert reached[numbered(scripts, "bridge.js#run.whole")] == [0]
    assert reached[numbered(scripts, "bridge.js#GONE")] == [0], "a row comes with its file"
    assert reached[numbered(scripts, "page.js#blocked")] == reached[numbered(scripts, "page.js#PARTS")] == [1, 2]
    assert numbered(scripts, "names.js#") not in reached
    tries, count = scripts.ground.that_reach([numbered(scripts, "page.js#blocked")], None)
    assert ([each.what for each in tries], count) == (["base 3", "base 5"], 2), "the short ones first"


@pytest.mark.parametrize(
    ("part", "others", "runs", "files"),
    [
        ("page.py", (), 1, set()),
        ("bridge.js", (), 1, {"bridge.js"}),
        ("page.js", (), 3, {"page.js"}),
        ("page.py", ("guard:stack/safari_jxa/page.js#blocked:refusal:1",), 3, {"page.js"}),
        ("", (), 3, {"bridge.js", "page.js"}),
    ],
)
def test_runs_are_made_only_for_the_scripts_that_are_tried(
    monkeypatch: pytest.MonkeyPatch, scripts: Bench, part: str, others: tuple[str, ...], runs: int, files: set[str]
) -> None:
    monkeypatch.setattr("harness.campaign.bench.lacking", lambda backing: "")
    found = scenarios_of("safari-jxa", Path("safari-jxa/an-action-lands-once.yaml"))
    scripts.explore_scripts(found, part, [Reason("guard:stack/safari_jxa/page.py#f:raise:1", others, "why", 1)])
    assert len(scripts.ground.tries) == runs
    assert {scripts.guards[number].file.rpartition("/")[2] for number in scripts.ground.reached} == files


def test_without_the_engine_what_only_it_can_show_is_named(monkeypatch: pytest.MonkeyPatch, scripts: Bench) -> None:
    monkeypatch.setattr("harness.campaign.bench.lacking", lambda backing: "webkit")
    scripts.explore_scripts([])
    assert scripts.ground.unable == ["scripts that run on webkit alone: it is not here"]
    assert len(scripts.ground.tries) == 1


def test_a_child_that_could_not_count_is_named(monkeypatch: pytest.MonkeyPatch, scripts: Bench) -> None:
    def failing(*args: Any) -> Any:
        raise RuntimeError("of the harness")

    monkeypatch.setattr("harness.campaign.bench.reached_on_model", failing)
    monkeypatch.setattr("harness.campaign.bench.lacking", lambda backing: "webkit")
    scripts.explore_scripts([])
    assert "runs with counters: RuntimeError: of the harness" in scripts.ground.unable


def test_a_script_that_is_gone_as_a_whole_is_noticed_and_one_that_is_not_is_not(tmp_path: Path) -> None:
    """That is how it is known that the changed text is the one that runs."""
    path = tmp_path / "windows.yaml"
    path.write_text("""scenario: Windows are listed
subject: safari-jxa
about: [osascript]
plans: none
world: {windows: [{id: 26081, tabs: [{url: "http://shop.test/"}]}]}
steps: [{call: windows, as: list, expect: done}]
then:
  - {says: there is one, every: {history: {e: answered, call: list}}, has: {structured: {windows: [{window: 26081}]}}}
""")
    bench = Bench(JXA, JXA_PACKAGE, scenarios_of("safari-jxa", path), 1, lambda words: None)
    bench.explore()
    bench.explore_scripts([])
    assert bench.control().killed is False
    ((file, tried),) = bench.blanks()
    assert (file, tried.killed) == ("stack/safari_jxa/bridge.js", True)
    verdicts = {each.guard.id.partition("#")[2]: each.state for each in bench.judge("bridge.js#run.evaluate", [])}
    assert verdicts == {"run.evaluate:refusal:1": "unreached"}


def test_guards_of_the_extension_are_what_a_real_browser_has_found_or_untried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chrome = subject("chrome")
    bench = Bench(chrome, package_of(chrome, Path(ROOT)), [], 1, lambda words: None)
    bench.explore_scripts([])
    place = "content/redaction.js#isCardNumber:refusal:1"
    (verdict,) = bench.judge(place, [])
    assert verdict.state == "untried"
    assert "real browser" in verdict.why
    for state, why in (("killed", ""), ("survived", "nothing"), ("equivalent", "nothing")):
        write_kept([Kept(verdict.guard.id, state, "nothing", "test_a", 3, 4)])
        (found,) = bench.judge(place, [])
        assert (found.state, found.tried.killed, found.why) == (state, state == "killed", why)
        assert (found.tried.by, found.tried.made, found.tried.reach) == ("test_a", 3, 4)
        assert found.tried.again == "python -m pytest 'test_a'"


@pytest.mark.parametrize(("back", "case", "found"), [
    ("model", "", ["base"]),
    ("model", "late", ["late"]),
    ("engine", "", ["base", "base on the engine"]),
    ("engine", "late", ["late", "late on the engine"]),
])  # fmt: skip
def test_a_mistake_in_a_page_program_is_tried_on_the_engine_too(back: str, case: str, found: list[str]) -> None:
    said = Said("", "holds", (), {})
    whats = ("base", "late", "base on the engine", "late on the engine")
    tries = [Try(scenario, what, "base", {}, said, "") for scenario in ("a.yaml", "b.yaml") for what in whats]
    chosen = named_by(Mistake("m", "b.yaml", case, FILE, "", "", back), tries)
    assert [(each.scenario, each.what) for each in chosen] == [("b.yaml", what) for what in found]
