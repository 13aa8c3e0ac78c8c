"""The report in a real Chromium: hostile text is text, and nothing is asked for."""
from __future__ import annotations

import http.server
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.engines import locate, select
from reports.render import write
from tests.reports.made import BUILD, CLAIMS, evidence

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip
PNG = b"\x89PNG\r\n\x1a\n"
pytestmark = pytest.mark.engine("chromium")


class Counting(http.server.BaseHTTPRequestHandler):
    """Counts what reaches it."""

    hits: list[str] = []

    def do_GET(self) -> None:
        self.hits.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def beacon() -> Iterator[str]:
    """The address of a loopback server that nothing may ask."""
    Counting.hits.clear()
    with http.server.HTTPServer(("127.0.0.1", 0), Counting) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture
def report(tmp_path: Path, beacon: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A report whose title tries what a hostile page would."""
    from tests.reports import made

    hostile = f'<img src={beacon}/image onerror="x()"><script src="{beacon}/script"></script>'
    monkeypatch.setattr(made, "HOSTILE", f"{hostile}<style>@import url({beacon}/style)</style>")
    made.kept.cache_clear()
    evidence(tmp_path)
    made.kept.cache_clear()
    _, paths = write(tmp_path / "runs", tmp_path / "ledger.jsonl", CLAIMS, tmp_path / "report", build=BUILD)
    return paths[0]


def chromium(report: Path, *more: str) -> bytes:
    (engine,) = select("chromium")
    found = locate(engine)
    assert found is not None
    profile = report.parent / "profile"
    done = subprocess.run(
        [str(found), *FLAGS, f"--user-data-dir={profile}", *more, report.as_uri()],
        capture_output=True, timeout=120, check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout


@pytest.mark.claim("HAR-RPT-01", "HAR-RPT-02")
def test_hostile_text_is_text_and_nothing_is_asked_for(report: Path) -> None:
    dom = chromium(report, "--dump-dom").decode()
    assert "&lt;script src=" in dom
    assert "<script" not in dom
    assert "<img" not in dom
    assert "260" in dom
    assert Counting.hits == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, 0), (1280, 1), (400, 1)])
def test_it_draws_in_every_width_and_scheme(report: Path, width: int, scheme: int) -> None:
    picture = report.parent / f"{width}-{scheme}.png"
    settings = f"--blink-settings=preferredColorScheme={scheme}"
    chromium(report, f"--window-size={width},1600", settings, f"--screenshot={picture}")
    data = picture.read_bytes()
    assert data.startswith(PNG)
    assert len(data) > 20_000  # an empty page of this size has 6 kB
    assert Counting.hits == []
