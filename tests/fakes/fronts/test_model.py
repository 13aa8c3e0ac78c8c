"""The fake model's endpoint: its script, its answers, and what it refuses; `jevcompat` examines it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from fakes.fronts.model import ANSWER, KEYS, Model, distribution
from fakes.settings import SettingsProblem
from fakes.worlds.safari import Safari
from harness.serve.machine import Given
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost, new_network
from stack.http import Response, request

URL = "http://127.0.0.1:8792"
JEVCOMPAT = Path(sys.executable).with_name("jevcompat")
QUESTIONS: dict[str, Any] = {
    "operation": {"type": "choice", "criteria": {"CLICK": "c", "WAIT": "w", "DONE": "d"}},
    "click_target": {"type": "choice", "criteria": {"1": "Buy one", "2": "Sell one", "NONE": "None of these"}},
    "outcome": {"type": "noul"},
}


def asking(questions: Any = QUESTIONS, goal: str = "g", **more: Any) -> str:
    return json.dumps({"model": "m", "state": {"goal": goal, "page": "p"}, "questions": questions, **more})


def asked(*bodies: str, path: str = "POST /v1/systemone", headers: Any = (), **settings: Any) -> list[Response]:
    """The replies to these requests, one after the other."""

    async def main() -> list[Response]:
        sheet = {"programs": {"model": settings}, "services": {"model": "tcp:127.0.0.1:8792"}}
        machines: dict[str, Any] = {"model": Model}
        stage = Stage(sheet, machines, Safari, clock=trio.current_time)
        method, _, target = path.partition(" ")
        async with trio.open_nursery() as nursery:
            host = VirtualHost(stage, nursery, network=new_network(stage, nursery))
            replies = [
                await request(host, method, URL + target, body=each.encode(), headers=headers, timeout_ms=60_000)  # type: ignore[arg-type]
                for each in bodies
            ]
            nursery.cancel_scope.cancel()
        return replies

    return run_virtual(main, 7)


def answers(reply: Response) -> Any:
    assert reply.status == 200, reply.body
    return json.loads(reply.body)["answers"]


def test_it_chooses_by_operation_and_label_with_the_confidence_that_it_says() -> None:
    (reply,) = asked(asking(), answers=[{"operation": "CLICK", "target": "Sell", "sure": 0.7, "visible": 0.1}])
    found = answers(reply)
    assert (found["operation"]["choice"], found["click_target"]["choice"]) == ("CLICK", "2")
    assert found["outcome"] == {"type": "noul", "noul": 0.1}
    top = found["operation"]["probabilities"]["CLICK"]
    assert (top - 1 / 3) / (1 - 1 / 3) == pytest.approx(0.7)
    assert sum(found["operation"]["probabilities"].values()) == pytest.approx(1)


def test_a_script_is_used_up_in_its_order_over_all_connections() -> None:
    script = [{"operation": "CLICK", "times": 1}, {"goal": "other", "operation": "WAIT"}, {"operation": "DONE"}]
    replies = asked(asking(), asking(), asking(goal="other"), asking(), answers=script)
    assert [answers(each)["operation"]["choice"] for each in replies] == ["CLICK", "DONE", "WAIT", "DONE"]
    shows = asked(asking(), answers=[{"shows": "nothing of it"}, {"shows": '"page":"p"', "operation": "WAIT"}])
    assert answers(shows[0])["operation"]["choice"] == "WAIT"


def test_a_script_without_an_answer_says_so() -> None:
    first, second = asked(asking(), asking(), answers=[{"times": 1}])
    assert (first.status, second.status) == (200, 500)


@pytest.mark.parametrize(
    ("answer", "check"),
    [
        (
            {"status": 429, "headers": [["Retry-After", "2"]]},
            lambda r: (r.status, r.header("retry-after")) == (429, "2"),
        ),
        ({"body": "half"}, lambda r: r.body == b"half"),
        ({"without": ["outcome"]}, lambda r: "outcome" not in answers(r)),
        ({"replace": {"operation": {"choice": "X"}}}, lambda r: answers(r)["operation"]["choice"] == "X"),
        (
            {"probabilities": {"operation": {"DONE": 2}}},
            lambda r: answers(r)["operation"]["probabilities"]["DONE"] == 2,
        ),
    ],
)
def test_an_answer_can_be_wrong_in_each_way(answer: Any, check: Any) -> None:
    (reply,) = asked(asking(), answers=[answer])
    assert check(reply)


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "[]",
        "{}",
        asking({}),
        asking([]),
        asking({"q": 1}),
        asking({"q": {"type": "x"}}),
        asking(model=""),
        asking({"q": {"type": "choice", "criteria": {"a": None}}}),
        asking(state=1),
        asking({"q": {"type": "choice", "criteria": {str(n): None for n in range(256)}}}),
        asking({"q": {"type": "choice"}}),
        asking({"q": {"type": "noul", "criteria": {"maybe": "x"}}}),
        asking({"q": {"type": "score", "criteria": {"a": "b"}}}),
        asking({"q": {"type": "score", "criteria": ["a", None]}}),
    ],
)
def test_a_request_that_is_none_is_refused(text: str) -> None:
    (reply,) = asked(text)
    assert reply.status == 422
    assert json.loads(reply.body)["detail"][0]["type"] == "value_error"


def test_a_score_is_the_expectation_of_its_levels() -> None:
    (reply,) = asked(asking({"q": {"type": "score", "criteria": ["low", "middle", "high"]}}))
    head = answers(reply)["q"]
    assert head["score"] == pytest.approx(sum(int(k) * v for k, v in head["probabilities"].items()))
    assert head["legend"] == {"0": "low", "1": "middle", "2": "high"}


def test_its_paths_and_its_key() -> None:
    assert asked("", path="GET /v1/models")[0].status == 200
    assert asked("", path="GET /v1/other")[0].status == 404
    assert asked(asking(), key="k")[0].status == 401
    assert asked(asking(), key="k", headers=[("Authorization", "Bearer k")])[0].status == 200


def test_a_setting_that_it_does_not_know_is_refused() -> None:
    wrong: tuple[dict[str, Any], ...] = ({"answer": []}, {"answers": [{"operations": "CLICK"}]})
    for settings in wrong:
        with pytest.raises(SettingsProblem):
            Model(Given(1, "model", None, settings, "7"))
    assert set(KEYS) & set(ANSWER) == {"think_ms"}


@pytest.mark.parametrize("count", [1, 2, 255])
def test_a_distribution_has_the_sum_1(count: int) -> None:
    assert sum(distribution([str(n) for n in range(count)], "0", 0.4).values()) == pytest.approx(1)


@pytest.mark.skipif(not JEVCOMPAT.exists(), reason="jevcompat is not installed")
def test_a_stranger_s_conformance_suite_finds_nothing(tmp_path: Path) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"think_ms": 0, "key": "k"}))
    words = ["-m", "harness.serve.service", "fakes.fronts.model:Model", "--settings", str(settings)]
    with subprocess.Popen(
        [sys.executable, *words, "--world", "fakes.worlds.safari:Safari"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            port = json.loads(process.stdout.readline())["port"]
            done = subprocess.run(
                [str(JEVCOMPAT), "test", f"http://127.0.0.1:{port}", "--key", "k", "--timeout", "20"],
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
        finally:
            process.terminate()
    assert done.returncode == 0, done.stdout[-3000:]
