"""What holds for every test, shown on small suites of their own that use the same conftest."""
from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = (Path(__file__).parent / "conftest.py").read_text()


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(CONFTEST)
    pytester.makeini("[pytest]\nmarkers =\n    engine\n    claim\naddopts = -p no:cacheprovider --strict-markers")
    return pytester


@pytest.mark.claim("HAR-NET-01", tooth="a test that reaches out and hides it")
def test_a_test_that_reaches_out_fails_though_the_code_swallowed_it(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        test_bad="""
        import contextlib, socket
        def test_reaches():
            with contextlib.suppress(Exception):
                socket.create_connection(("192.0.2.1", 80))
        def test_stays():
            assert True
        """
    )
    result = suite.runpytest_inprocess()
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*a look-up of '192.0.2.1' by *test_bad.py:4 in test_reaches*"])


SKIPS = {
    "call": "import pytest\ndef test_a():\n    pytest.skip('no time')\n",
    "marker": "import pytest\n@pytest.mark.skip(reason='no time')\ndef test_a(): ...\n",
    "module": "import pytest\npytest.skip('no time', allow_module_level=True)\n",
    "import": "import pytest\npytest.importorskip('no_such_module', reason='no time')\n",
    "expected failure": "import pytest\n@pytest.mark.xfail(reason='no time')\ndef test_a():\n    assert False\n",
}


@pytest.mark.parametrize("text", SKIPS.values(), ids=SKIPS.keys())
def test_no_skip_of_any_kind_passes_under_no_skips(suite: pytest.Pytester, text: str) -> None:
    suite.makepyfile(test_a=text, test_b="def test_b():\n    assert True\n")
    assert suite.runpytest_inprocess().ret == 0
    result = suite.runpytest_inprocess("--no-skips")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*skipped, which --no-skips refuses*no time*"])


def test_no_skip_passes_in_the_workers_of_a_parallel_run(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_a=SKIPS["module"], test_b="def test_b():\n    assert True\n")
    result = suite.runpytest_subprocess("--no-skips", "-n", "1")
    assert result.ret != 0


@pytest.mark.parametrize(("options", "status"), [([], 0), (["--no-skips"], 1)])
def test_a_missing_engine_is_named_and_ci_refuses_it(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, options: list[str], status: int
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    suite.makepyfile("import pytest\n@pytest.mark.engine('chromium')\ndef test_a():\n    assert True\n")
    result = suite.runpytest_inprocess(*options, "-rs")
    assert result.ret == status
    result.stdout.fnmatch_lines(["*engine chromium is missing: `make engines` installs it*"])


def test_an_engine_that_is_here_runs_its_test(
    suite: pytest.Pytester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "chromium"
    place.write_text("")
    place.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    suite.makepyfile("import pytest\n@pytest.mark.engine('chromium')\ndef test_a():\n    assert True\n")
    suite.runpytest_inprocess("--no-skips").assert_outcomes(passed=1)


def test_an_engine_that_no_table_has_is_an_error(suite: pytest.Pytester) -> None:
    suite.makepyfile("import pytest\n@pytest.mark.engine('netscape')\ndef test_a():\n    assert True\n")
    suite.runpytest_inprocess().assert_outcomes(errors=1)
