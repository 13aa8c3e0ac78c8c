"""A tree without a guard differs there and nowhere else; a fresh import has the change, and only in its process."""
from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from harness.campaign.bench import package_of
from harness.campaign.executor import forked
from harness.campaign.guards import find
from harness.campaign.removal import Package, file_of, function_of, without
from harness.campaign.tables import UNRUN
from harness.problem import UsageProblem
from harness.scenario.runner import ROOT
from harness.serve.dotted import resolve
from harness.subjects import subject

FILE = "stack/sample.py"

CASES = (
    ("raise", "if x:\n        raise A", "if x:\n        pass"),
    ("refusal", "if x:\n        return None\n    return x", "if x:\n        pass\n    return x"),
    ("bound", "return x > 3", "return False"),
    ("bound", "while x <= 3:\n        g()", "while True:\n        g()"),
    ("lock", "async with self.lock:\n        g()\n        h()", "g()\n    h()"),
    ("lock", "turn = await pool.take_turn(x)", "turn = None"),
    ("deadline", "with a.fail_after(3, shield=True):\n        g()", "with a.CancelScope(shield=True):\n        g()"),
    ("deadline", "with move_on_after(3):\n        g()", "with __import__('anyio').CancelScope():\n        g()"),
    ("deadline", "a = CancelScope(deadline=3, shield=b)", "a = CancelScope(shield=b)"),
    ("shield", "with CancelScope(shield=True):\n        g()", "with CancelScope():\n        g()"),
    ("cleanup", "await p.aclose()\n    g()", "pass\n    g()"),
)


@pytest.mark.parametrize(("kind", "before", "after"), CASES)
def test_what_is_left_of_a_guard(kind: str, before: str, after: str) -> None:
    text = f"async def f(self, x):\n    {before}\n"
    changed = without(text, FILE, [f"guard:{FILE}#f:{kind}:1"], ())
    assert ast.unparse(changed) == f"async def f(self, x):\n    {after}"


@pytest.mark.parametrize(("place", "left"), [(1, "{2: 'b', 3: {*c}}"), (3, "{1: 'a', 2: 'b'}")])
def test_a_row_goes_out_of_its_table_alone(place: int, left: str) -> None:
    changed = without("ROWS = {1: 'a', 2: 'b', 3: {*c}}", FILE, [f"guard:{FILE}#ROWS:row:{place}"], ("ROWS",))
    assert ast.unparse(changed) == f"ROWS = {left}"


def test_two_guards_go_together_even_one_inside_the_other() -> None:
    text = "async def f():\n    with fail_after(3):\n        raise A\n"
    changed = without(text, FILE, [f"guard:{FILE}#f:deadline:1", f"guard:{FILE}#f:raise:1"], ())
    assert "pass" in ast.unparse(changed)
    assert "fail_after" not in ast.unparse(changed)


def test_every_removal_in_the_stack_compiles_and_takes_that_guard_out() -> None:
    package = Package("stack.computer_use", Path(ROOT))
    guards = package.guards()
    assert len({guard.id for guard in guards}) == len(guards) > 100
    for guard in guards[::4]:
        text = package.texts[guard.file]
        changed = without(text, guard.file, [guard.id])
        compile(changed, guard.file, "exec")
        assert ast.unparse(changed) != ast.unparse(ast.parse(text)), guard.id


def test_an_unknown_guard_is_refused() -> None:
    with pytest.raises(UsageProblem, match="f:raise:2"):
        without("def f():\n    raise A\n", FILE, [f"guard:{FILE}#f:raise:2"], ())
    with pytest.raises(UsageProblem, match="elsewhere"):
        Package("stack.computer_use", Path(ROOT)).install_without(["guard:stack/elsewhere.py#f:raise:1"])


def test_a_fresh_import_has_the_change_in_its_own_process_alone() -> None:
    package = Package("stack.computer_use", Path(ROOT))
    name = next(guard.id for guard in package.guards("keys.py") or package.guards("applications.py"))
    file = file_of(name)
    text = package.texts["stack/computer_use/keys.py"]

    def job() -> list[str]:
        before = resolve("stack.computer_use.keys:normalise")
        changed = text.replace('if stripped == "+":', 'if stripped == "never":')
        package.install({"stack/computer_use/keys.py": ast.parse(changed)})
        after = resolve("stack.computer_use.keys:normalise")
        used = resolve("stack.computer_use.call:keys.normalise")
        return [before("+"), after("+"), used("+"), str(sys.modules["stack.computer_use.keys"].__file__)]

    ((_, answer),) = forked([job], 1)
    assert answer == ["plus", "+", "+", str(Path(ROOT) / "stack/computer_use/keys.py")]
    assert resolve("stack.computer_use.keys:normalise")("+") == "plus"
    assert file.startswith("stack/computer_use/")


def test_install_without_takes_the_guard_out_of_what_runs() -> None:
    package = Package("stack.computer_use", Path(ROOT))

    def job() -> str:
        package.install_without(["guard:stack/computer_use/applications.py#_single:raise:2"])
        return str(resolve("stack.computer_use.applications:_single")(["a", "b"], "x"))

    ((_, answer),) = forked([job], 1)
    assert answer == "a"


def test_sources_can_be_given_in_place_of_the_disks() -> None:
    file = "stack/computer_use/keys.py"
    package = Package("stack.computer_use", Path(ROOT), {file: "def f():\n    raise A\n"})
    assert [guard.id for guard in package.guards(file)] == [f"guard:{file}#f:raise:1"]
    assert len(find(ast.parse(package.texts[file]), file)) == 1


def test_packages_besides_are_imported_again_too_and_find_the_data_beside_their_code() -> None:
    package = package_of(subject("safari-mcp"), Path(ROOT))
    files = {guard.file for guard in package.guards()}
    assert {"stack/safari_mcp/wire.py", "stack/consent/gate.py"} <= files
    assert not files & set(UNRUN)
    assert not {function_of(guard.id) for guard in package.guards()} & set(UNRUN)
    before = resolve("stack.consent.gate:ConsentGate"), resolve("stack.safari_mcp.page_programs:PROGRAMS")

    def job() -> list[bool]:
        package.install_without(["guard:stack/consent/grants.py#_check_grant:raise:1"])
        grants = resolve("stack.consent.gate:Grants")()
        grants.tell("grant", {"command": "another", "interactive": True})
        after = resolve("stack.consent.gate:ConsentGate"), resolve("stack.safari_mcp.page_programs:PROGRAMS")
        return [grants.full, after[0] is before[0], after[1] == before[1]]

    ((_, answer),) = forked([job], 1)
    assert answer == [True, False, True]


def test_a_module_that_was_imported_before_is_not_found_through_its_parent() -> None:
    """`from stack import consent` asks the package first, and a fresh import of it must not."""
    package = package_of(subject("safari-mcp"), Path(ROOT))

    def job() -> bool:
        before = resolve("stack.safari_mcp.settings:consent")
        package.install({})
        return resolve("stack.safari_mcp.settings:consent") is not before

    ((_, answer),) = forked([job], 1)
    assert answer is True


def test_a_script_without_a_guard_is_what_the_stack_reads_and_no_file_is_touched() -> None:
    package = package_of(subject("safari-jxa"), Path(ROOT))
    id = "guard:stack/safari_jxa/page.js#blocked:refusal:1"
    before = resolve("stack.safari_jxa.scripts:program")()
    assert id in {guard.id for guard in package.guards("page.js")}

    def job() -> list[str]:
        package.install_without([id, "guard:stack/safari_jxa/page.py#reply_of:refusal:1"])
        scripts = resolve("stack.safari_jxa.scripts:program")(), resolve("stack.safari_jxa.scripts:bridge")()
        package.install({})
        return [*scripts, resolve("stack.safari_jxa.scripts:program")()]

    ((_, (changed, bridge, restored)),) = forked([job], 1)
    assert 'return "forbidden";' in before
    assert changed == before.replace('return "forbidden";', ";")
    assert restored == before
    assert bridge == resolve("stack.safari_jxa.scripts:bridge")()
