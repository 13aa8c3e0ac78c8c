"""Each system's entry names things that exist, and agrees with what it names."""

from __future__ import annotations

import pytest

from harness.engines import ENGINES
from harness.problem import UsageProblem
from harness.serve.dotted import resolve
from harness.subjects import STRANGERS, SUBJECTS, subject
from harness.wire import DIALECTS


@pytest.mark.parametrize("name", [*SUBJECTS, *STRANGERS])
def test_every_dotted_name_is_there(name: str) -> None:
    system = subject(name)
    for dotted in (system.stack, system.settings, system.host, system.programs, system.world):
        assert callable(resolve(dotted)) or isinstance(resolve(dotted), dict)
    for dotted in (system.ask_failed, system.error):
        assert issubclass(resolve(dotted), Exception)


@pytest.mark.parametrize("name", [*SUBJECTS, *STRANGERS])
def test_every_program_has_a_machine_a_dialect_and_a_version(name: str) -> None:
    system = subject(name)
    assert set(system.parts) <= set(resolve(system.programs))
    assert set(system.dialects) == set(system.parts)
    assert set(system.dialects.values()) <= set(DIALECTS)
    assert set(system.start_ms) <= set(system.parts)
    for profile in system.profiles.values():
        assert set(profile.versions) == set(system.parts)
        assert set(profile.programs) <= set(system.parts)
        for program, (engine, dialect) in profile.engines.items():
            assert dialect == system.dialects[program]
            assert [row.version for row in ENGINES if row.name == engine] == [profile.versions[program]]


def test_computer_use_agrees_with_its_stack_and_its_fakes() -> None:
    system = subject("computer-use")
    assert tuple(system.profiles) == resolve("fakes.fronts.codex_profiles:VERSIONS")
    assert system.bounds["call_ms"] == resolve("stack.computer_use.settings:Deadlines")().call
    assert system.bounds["reply_bytes"] == resolve("stack.computer_use.settings:Bounds")().line_bytes
    assert list(system.writes) == [resolve("stack.computer_use.audit:FILE")]
    helper = resolve("fakes.fronts.helper:KEYS")["version"][1]
    assert {profile.versions["helper"] for profile in system.profiles.values()} == {helper}


@pytest.mark.parametrize("name", STRANGERS)
def test_nothing_of_a_system_of_ours_is_in_that_of_strangers(name: str) -> None:
    system = subject(name)
    assert all(dotted.startswith("harness.strangers.") for dotted in (system.stack, system.settings, system.host))
    assert "stack" not in system.packages
    assert not (set(STRANGERS) & set(SUBJECTS))


def test_a_system_that_there_is_not_is_refused() -> None:
    with pytest.raises(UsageProblem, match="one of computer-use"):
        subject("computer-usa")


@pytest.mark.parametrize(
    ("system", "ending"),
    [
        ("computer-use", "stack.computer_use.driver:ENDS_SEQUENCES"),
        ("safari-mcp", "stack.safari_mcp.driver:ENDS_SESSIONS"),
        ("safari-jxa", "stack.safari_jxa.driver:ENDS_SESSIONS"),
        ("chrome", "stack.chrome.driver:ENDS_CLAIMS"),
    ],
)
def test_what_ends_the_calls_of_a_system_is_what_its_stack_ends_them_for(system: str, ending: str) -> None:
    """Another event is no excuse for an outcome that is not known."""
    assert set(SUBJECTS[system].ends_calls) == {"cancel", *resolve(ending)}


def test_a_stranger_is_told_of_nothing_and_so_excused_by_nothing() -> None:
    assert {subject.ends_calls for subject in STRANGERS.values()} == {()}
