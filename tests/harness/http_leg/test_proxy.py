"""The leg with the real mitmproxy, and its addons with flows of our own."""
from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness.http_leg import proxy
from harness.http_leg.messages import Request, Response
from harness.http_leg.place import running
from harness.http_leg.player import Player, Recorded
from harness.http_leg.proxy import Announcing, Recording, Replaying, addon_of, main
from harness.http_leg.recorder import Leg, open_recorder
from harness.problem import Problem
from harness.tape.join import join, open_segments
from harness.tape.lint import lint
from harness.tape.read import load, read
from tests.harness.http_leg.upstream import asked, upstream

RECORD: dict[str, Any] = {
    "mode": "record", "port": 0, "program": "judge", "leg": "http", "redact": [], "strength": "model",
    "products": [["judge", "1"]],
}  # fmt: skip
REPLAY: dict[str, Any] = {"mode": "replay", "port": 0, "leg": None, "ignore": []}
KEY = b"key-4711-secret"
SECRETS = ("key-4711-secret", "tok-4711-secret", "cookie-4711-secret")


def recorded(tape: Path, paths: tuple[str, ...] = ("/a?x=1", "/b", "/gzip")) -> list[tuple[int, bytes]]:
    """A tape of these requests; what was answered."""
    with upstream() as service, running({**RECORD, "upstream": service.url, "tape": str(tape)}) as leg:
        answers = [
            asked(leg.port, path, b'{"n":%d,"api_key":"%b"}' % (number, KEY), Authorization=f"Bearer {KEY.decode()}")
            for number, path in enumerate(paths)
        ]
    assert (leg.status, leg.said) == (0, "")
    assert len(service.requests) == len(paths)
    return answers


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded leg of three requests."""
    path = tmp_path_factory.mktemp("legs") / "leg.jsonl"
    assert [status for status, _ in recorded(path)] == [200, 200, 200]
    return path


@pytest.fixture(scope="module")
def broken_off(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded leg of one request that got no reply."""
    path = tmp_path_factory.mktemp("legs") / "leg.jsonl"
    ((status, _),) = recorded(path, ("/none",))
    assert status in (0, 502)
    return path


@pytest.mark.engine("mitmproxy")
def test_a_recorded_leg_is_replayed_and_the_network_is_never_reached(tape: Path) -> None:
    text = tape.read_text(encoding="ascii")
    assert not any(secret in text for secret in SECRETS)
    header, events = load(str(tape))
    assert [event["e"] for event in events] == ["started", "flow", "flow", "flow", "exited", "note"]
    assert {finding.rule for finding in lint(header, events)} <= {"TAPE-L012"}
    with upstream() as service:
        settings = {**REPLAY, "tape": str(tape), "upstream": service.url}
        with running(settings) as leg:
            body = b'{"n":%d,"api_key":"abc-4711-secret"}'
            again = [asked(leg.port, path, body % number) for number, path in enumerate(("/a?x=1", "/b", "/gzip"))]
            assert [status for status, _ in again] == [200, 200, 200]
            assert [json.loads(said)["number"] for _, said in again] == [1, 2, 3]
            status, said = asked(leg.port, "/b", body % 1)
            assert status == 599
            assert json.loads(said)["error"]["type"] == "trailcam_miss"
            assert "all 3 recorded requests were answered" in json.loads(said)["error"]["expected"]
            assert asked(leg.port, "/unknown")[0] == 599
            assert asked(leg.port, f"http://127.0.0.1:{service.port}/a?x=1")[0] in (0, 400, 599)
        assert (service.connections, service.requests) == (0, [])
    assert leg.status == 70
    assert "saw POST /b; expected nothing" in leg.said


LEGS: list[tuple[str, str, bytes]] = [
    ("POST", "/v1/messages", b'{"model":"m","messages":[{"role":"user","content":"May it?"}]}'),
    ("GET", "/shop.html", b""),
    ("POST", "/session", b'{"capabilities":{"alwaysMatch":{"browserName":"Safari"}}}'),
    ("POST", "/session/1/url", b'{"url":"http://127.0.0.1/shop.html"}'),
    ("GET", "/session/1/title", b""),
    ("DELETE", "/session/1", b""),
]
"""A model's call, a page as a browser loads it, and a WebDriver session from its start to its end."""


def exchanged(port: int) -> list[tuple[int, bytes]]:
    return [asked(port, path, body, method) for method, path, body in LEGS]


@pytest.mark.engine("mitmproxy")
@pytest.mark.claim("HAR-HTTP-01", tooth="a leg that passes requests on in the place of the replay")
def test_model_calls_pages_and_webdriver_are_replayed_and_a_leg_that_asks_the_network_is_seen(tmp_path: Path) -> None:
    """The upstream that counts is what the check looks at: nothing reaches it in the replay, not even by what is asked
    after the last reply; of a leg that passes on, it counts every request."""
    tape = tmp_path / "leg.jsonl"
    with upstream() as service:
        record = {**RECORD, "upstream": service.url, "tape": str(tape)}
        with running(record) as leg:
            recorded = exchanged(leg.port)
        assert (leg.status, [status for status, _ in recorded]) == (0, [200] * len(LEGS))
        assert [(method, path) for method, path, _, _ in service.requests] == [leg[:2] for leg in LEGS]
    assert b"<p>Read me" in recorded[1][1]
    with upstream() as service:
        with running({**REPLAY, "tape": str(tape), "upstream": service.url}) as leg:
            replayed = exchanged(leg.port)
            assert asked(leg.port, "/shop.html", b"", "GET")[0] == 599
        assert [status for status, _ in replayed] == [200] * len(LEGS)
        assert replayed[1] == recorded[1]
        assert (service.connections, service.requests) == (0, [])
        with running({**record, "upstream": service.url, "tape": str(tmp_path / "other.jsonl")}) as passing:
            exchanged(passing.port)
        assert service.connections > 0
        assert len(service.requests) == len(LEGS)


@pytest.mark.engine("mitmproxy")
def test_an_unknown_request_ends_the_replay_and_what_was_not_asked_is_said(tape: Path) -> None:
    with upstream() as service:
        with running({**REPLAY, "tape": str(tape), "upstream": service.url}) as leg:
            assert asked(leg.port, "/b")[0] == 599
            assert asked(leg.port, "/a?x=1", b'{"n":0,"api_key":"abc-4711-secret"}')[0] == 599
        with running({**REPLAY, "tape": str(tape), "upstream": service.url}) as short:
            assert asked(short.port, "/a?x=1", b'{"n":0,"api_key":"abc-4711-secret"}')[0] == 200
        assert (service.connections, service.requests) == (0, [])
    assert leg.status == short.status == 70
    assert "expected event 1: POST /a; another path or query" in leg.said
    assert "saw the end; expected event 2: POST /b, and 1 more" in short.said


@pytest.mark.engine("mitmproxy")
def test_a_reply_that_never_came_never_comes(broken_off: Path) -> None:
    flow = next(event for event in load(str(broken_off))[1] if event["e"] == "flow")
    assert "response" not in flow
    with running({**REPLAY, "tape": str(broken_off)}) as leg:
        assert asked(leg.port, "/none", b'{"n":0,"api_key":"abc-4711-secret"}') == (0, b"")
    assert leg.status == 0


@pytest.mark.engine("mitmproxy")
def test_two_legs_of_one_run_are_joined_on_one_clock(tape: Path, broken_off: Path) -> None:
    header, joined = join(open_segments([str(tape), str(broken_off)]))
    events = list(joined)
    times: list[Any] = [event["t"] for event in events]
    assert times == sorted(times)
    assert [event["e"] for event in events].count("flow") == 4
    assert {event["p"] for event in events if event["e"] == "flow"} == {1, 2}
    assert header.clock["kind"] == "monotonic"


@pytest.mark.engine("mitmproxy")
def test_what_can_not_start_says_why(tmp_path: Path) -> None:
    tape = tmp_path / "leg.jsonl"
    tape.write_text("there already", encoding="ascii")
    settings = {**RECORD, "upstream": "http://127.0.0.1:9", "tape": str(tape)}
    with pytest.raises(Problem, match="did not start"), running(settings):
        pass
    assert tape.read_text(encoding="ascii") == "there already"


# The addons, with flows in mitmproxy's shape


class Message(SimpleNamespace):
    """A request or reply as mitmproxy has it."""

    raw_content: bytes

    def copy(self) -> Message:
        return Message(**vars(self))

    def decode(self, strict: bool) -> None:
        self.raw_content = self.raw_content.replace(b"packed ", b"")


def flow(path: str = "/a", answer: bytes | None = b"packed yes") -> Any:
    fields = SimpleNamespace(fields=((b"Host", b"a"),))
    request = Message(method="POST", url=f"http://a{path}", headers=Headers(fields.fields), raw_content=b"{}")
    response = Message(status_code=200, headers=fields, raw_content=answer)
    return SimpleNamespace(id=path, request=request, response=response, error=SimpleNamespace(msg="gone"), killed=False)


class Headers(dict[str, str]):
    """Their fields, and new values by name."""

    def __init__(self, fields: Any) -> None:
        super().__init__()
        self.fields = fields


def test_the_recording_addon(tmp_path: Path) -> None:
    tape = tmp_path / "leg.jsonl"
    recorder = open_recorder(str(tape), Leg(program="judge"), {})
    recorder.begin()
    addon = Recording(recorder)
    first, second = flow("/a"), flow("/b")
    addon.request(first)
    addon.request(second)
    assert first.request.headers["accept-encoding"] == "identity"
    addon.error(second)
    addon.error(second)
    addon.response(first)
    addon.response(first)
    addon.done()
    assert addon.status == 0
    flows = [event for event in load(str(tape))[1] if event["e"] == "flow"]
    assert [each["request"]["url"] for each in flows] == ["http://a/a", "http://a/b"]  # type: ignore[call-overload,index]
    assert flows[0]["response"] == {"status": 200, "headers": [["Host", "a"]], "b": "yes"}
    assert "response" not in flows[1]


def test_the_replaying_addon(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Response(200, (("Content-Length", "9"), ("X", "y")), b"yes")
    flows = [Recorded(1, Request("POST", "http://a/a", (), b"{}"), answer), Recorded(2, Request("POST", "/b"), None)]
    addon = Replaying(Player(flows), lambda *parts: parts)
    first = flow("/a")
    addon.request(first)
    assert first.response == (200, b"yes", [(b"X", b"y")])
    second = flow("/b")
    second.request.url, second.request.raw_content = "/b", None
    second.kill = lambda: setattr(second, "killed", True)
    addon.request(second)
    assert second.killed
    addon.done()
    assert (addon.status, capsys.readouterr().err) == (0, "")
    third = flow("/c")
    addon.request(third)
    assert third.response[0] == 599
    addon.done()
    assert addon.status == 70
    assert "saw POST /c" in capsys.readouterr().err
    data = SimpleNamespace(server=SimpleNamespace(error=None))
    addon.server_connect(data)
    assert data.server.error


def test_the_port_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    servers = SimpleNamespace(listen_addrs=lambda: [("127.0.0.1", 8791)])
    Announcing(SimpleNamespace(addons={"proxyserver": servers})).running()
    assert capsys.readouterr().out == '{"port":8791}\n'


class Master:
    """Stands in for mitmproxy: runs, and ends at once."""

    made: list[Any] = []

    def __init__(self, options: Any, **_: Any) -> None:
        self.options = options
        self.addons = SimpleNamespace(add=lambda *addons: Master.made.extend(addons))

    def shutdown(self) -> None:
        return

    async def run(self) -> None:
        if self.options.listen_port == 1:
            raise OSError("taken")
        Master.made[0].done()


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    class Options(SimpleNamespace):
        def update(self, **more: Any) -> None:
            vars(self).update(more)

    modules = {"mitmproxy.options": SimpleNamespace(Options=Options), "mitmproxy.tools.dump": SimpleNamespace(
        DumpMaster=Master), "mitmproxy.http": SimpleNamespace(Response=SimpleNamespace(make=None))}  # fmt: skip
    monkeypatch.setattr(proxy, "import_module", modules.__getitem__)
    monkeypatch.setattr(Master, "made", [])


@pytest.mark.usefixtures("stand_in")
def test_the_script_from_its_words_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tape = str(tmp_path / "leg.jsonl")
    record = {**RECORD, "upstream": "http://127.0.0.1:9", "tape": tape}
    assert main([json.dumps(record)]) == 0
    assert main([json.dumps(record)]) == 3
    assert "a tape that does not exist yet" in capsys.readouterr().err
    assert main([json.dumps({**REPLAY, "tape": tape})]) == 3
    assert "no flow" in capsys.readouterr().err
    assert main([json.dumps({**record, "tape": str(tmp_path / "other.jsonl"), "port": 1})]) == 3
    assert "could not listen" in capsys.readouterr().err


@pytest.mark.usefixtures("stand_in")
def test_a_replay_that_nobody_asked_is_a_miss(tmp_path: Path) -> None:
    tape = tmp_path / "leg.jsonl"
    recorder = open_recorder(str(tape), Leg(), {})
    recorder.begin()
    recorder.answered(recorder.asked(Request("POST", "http://a/a")), Response(200))
    assert recorder.end()
    settings = {**REPLAY, "tape": str(tape)}
    assert isinstance(addon_of(settings), Replaying)
    assert main([json.dumps(settings)]) == 70
    read(str(tape))[1].close()
