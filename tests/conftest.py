"""What holds for every test: no way off this machine, engines by name, and no quiet skip in CI.

- HAR-NET-01: the network guard is on for the whole run; a test during which something tried to leave fails, also where
  the code under test swallowed the refusal, and names the caller.
- `@pytest.mark.engine("codex", "0.171.0")` skips a test where that program is missing, and says how to get it.
- `--no-skips` makes every skip and every expected failure a failure: CI has all engines, so nothing is left out.
- `--evidence FILE` writes what marked tests show of the claims (tests/evidence.py).
- Hypothesis draws the same examples for the same commit, and has no deadline: nothing here depends on the clock.
"""
from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from harness.engines import locate, select
from harness.guard import GUARD
from tests.evidence import Plugin

settings.register_profile("house", derandomize=True, deadline=None)
settings.load_profile("house")
GUARD.install()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-skips", action="store_true", help="a skipped test fails: for CI, which has every engine")
    parser.addoption("--evidence", type=Path, help="write what marked tests show of claims to this ledger")


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("evidence")
    if path is not None:
        config.pluginmanager.register(Plugin(path, config.rootpath), "trailcam-evidence")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("engine"):
        missing = [row.name for row in select(*marker.args) if locate(row) is None]
        if missing:
            pytest.skip(f"engine {', '.join(missing)} is missing: `make engines` installs it")


@pytest.fixture(autouse=True)
def stays_here() -> Iterator[None]:
    """Fails the test during which something tried to leave this machine."""
    yield
    attempts = GUARD.take()
    if attempts:
        pytest.fail("\n".join(f"{attempt.what} by {attempt.caller}" for attempt in attempts))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.config.getoption("no_skips"):
        refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if collector.config.getoption("no_skips"):
        refuse_skip(report)
    return report


DATA_BESIDE = "accname cases of web-platform-tests"
"""What may be absent in CI too: test pages that are not the project's, and that no package brings."""


def refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Under --no-skips a skip (an expected failure is reported as one) becomes a failure with its reason."""
    if report.outcome == "skipped" and DATA_BESIDE not in str(report.longrepr):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else getattr(report, "wasxfail", "no reason")
        report.outcome = "failed"
        report.longrepr = f"skipped, which --no-skips refuses: {why}"
        vars(report).pop("wasxfail", None)
