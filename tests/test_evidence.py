"""What tests show of claims: one piece of evidence a function, broken where one of its cases failed."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.evidence.ledger import read
from harness.kept.origin import Origin

pytest_plugins = ["pytester"]
SUITE = """
import pytest

@pytest.mark.claim("HAR-WIRE-01", tooth="a frame that is not split")
@pytest.mark.parametrize("n", [1, 2])
def test_one(n):
    assert n

@pytest.mark.claim("HAR-TAPE-01")
@pytest.mark.parametrize("n", [0, 1])
def test_two(n):
    assert n

@pytest.mark.claim("CUA-KEY-01")
def test_three():
    assert True

@pytest.mark.claim("CUA-CLN-01")
@pytest.mark.fakes(codex="0.171.0", helper="1.0")
def test_with_fakes():
    assert True

@pytest.mark.claim("HAR-REC-03")
def test_four():
    pytest.skip("no")

def test_unmarked():
    assert True
"""


ENGINE_SUITE = """
import pytest

@pytest.mark.claim("CHR-ERR-02")
@pytest.mark.engine("chromium", stands_for=("browser", "extension"))
def test_five():
    assert True

@pytest.mark.claim("CHR-PERM-01")
@pytest.mark.engine("chromium")
def test_six():
    assert True

@pytest.mark.claim("CHR-SNAP-01")
@pytest.mark.engine("chromium", stands_for=("browser", "extension"))
def test_seven():
    assert True
"""
CONFTEST = """
from pathlib import Path
from tests.evidence import Plugin

def pytest_configure(config):
    config.addinivalue_line("markers", "claim(id): x")
    config.addinivalue_line("markers", "engine(name): x")
    config.addinivalue_line("markers", "fakes(program): x")
    config.pluginmanager.register(Plugin(config.rootpath / "ledger.jsonl", config.rootpath), "evidence")
"""


@pytest.mark.engine("chromium")
def test_an_engine_is_evidence_of_what_it_stands_for_and_of_nothing_else(pytester: pytest.Pytester) -> None:
    claims = Path(__file__).resolve().parent.parent / "scenarios/claims"
    pytester.makepyfile(test_it=ENGINE_SUITE)
    pytester.makeconftest(CONFTEST)
    (pytester.path / "scenarios").mkdir()
    (pytester.path / "scenarios" / "claims").symlink_to(claims)
    pytester.syspathinsert(claims.parent.parent)
    pytester.runpytest_subprocess().assert_outcomes(passed=3)
    (record,) = read(pytester.path / "ledger.jsonl")
    assert (record.claim, set(record.about)) == ("CHR-ERR-02", {"browser", "extension"})
    assert record.strength == "engine"
    assert "Chromium" in record.about["browser"].version


@pytest.mark.claim("HAR-RPT-03", tooth="a test that failed, one that was skipped, one about a program it has not")
@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_the_ledger_has_what_was_shown_and_nothing_else(pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    claims = Path(__file__).resolve().parent.parent / "scenarios/claims"
    pytester.makepyfile(test_it=SUITE)
    pytester.makeconftest(CONFTEST)
    (pytester.path / "scenarios").mkdir()
    (pytester.path / "scenarios" / "claims").symlink_to(claims)
    pytester.syspathinsert(claims.parent.parent)
    pytester.runpytest_subprocess(*workers).assert_outcomes(passed=6, failed=1, skipped=1)
    found = {record.claim: record for record in read(pytester.path / "ledger.jsonl")}
    words = {claim: record.verdict for claim, record in found.items()}
    assert words == {"HAR-WIRE-01": "holds", "HAR-TAPE-01": "broken", "CUA-CLN-01": "holds"}
    assert found["CUA-CLN-01"].about["codex"] == Origin("model", "0.171.0")
    assert found["CUA-CLN-01"].strength == "model"
    assert found["HAR-WIRE-01"].teeth == ("broken:a frame that is not split",)
    assert found["HAR-WIRE-01"].by == "test:test_it.py::test_one"
