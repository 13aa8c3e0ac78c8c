"""A typed-choice model's endpoint: one HTTP request in, one answer out, as it was scripted.

It is a service: each connection is a process of its own. The settings' `answers` are a script over the requests of the
run: the first answer that fits and is not used up is given, and one that says no `times` is never used up. An answer
chooses by operation and label, as a reader of the page would; the distribution is made to have the confidence that it
says. It thinks nothing: what a real model decides is recorded from one.
"""

from __future__ import annotations

from fakes.settings import read
from harness.faults.steps import At, Exit, Send, Wait
from harness.serve.machine import Silent
from harness.wire.http_text import header, reply
from harness.wire.jsontext import JsonTextError, dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fakes.settings import Table
    from harness.faults.steps import Handler
    from harness.serve.machine import Given
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

KEYS: Table = {
    "answers": ("list", [{}], "the script: of each request the first answer that fits and is not used up"),
    "think_ms": ("number", 350, "how long a decision takes where the answer does not say it"),
    "key": ("text or null", None, "the key that it wants; another one, or none, is answered with 401"),
    "models": ("list", ["jev-1.13.0", "jev-latest"], "the models that it has"),
}
ANSWER: Table = {
    "goal": ("text or null", None, "fits requests whose goal has this text in it"),
    "shows": ("text or null", None, "fits requests whose page has this text in it"),
    "times": ("int", 0, "how often it is given; 0: without end"),
    "operation": ("text or null", None, "operation that is chosen; the first one where absent"),
    "target": ("text or null", None, "part of the label of the target; NONE: none of them; the first one where absent"),
    "sure": ("number", 0.9, "confidence of the operation, as (top - 1/n) / (1 - 1/n)"),
    "target_sure": ("number", 0.9, "confidence of the target"),
    "visible": ("number", 0.5, "P(yes) of the yes/no questions"),
    "think_ms": ("number", -1, "how long this one takes; below 0: as the settings say"),
    "status": ("int", 200, "status of the reply"),
    "headers": ("list", [], "further headers of the reply: [name, value]"),
    "body": ("text or null", None, "the whole body in place of the answer"),
    "replace": ("object", {}, "head -> members that are put over its own"),
    "without": ("list", [], "heads that are left out"),
    "probabilities": ("object", {}, "head -> option -> probability that is put over its own"),
}
PATHS = {"POST /v1/systemone": "decide", "GET /v1/models": "models"}
KINDS = {"choice": (2, 255), "noul": (0, 2), "score": (2, 10)}
"""Kind of question -> least and greatest number of its criteria."""


class Model(Silent):
    """See the module."""

    wires: Mapping[str, str] = {"stdio": "http"}
    moments = ("deciding",)

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.settings = read(dict(given.settings), KEYS, "programs.model")
        self.script = [read(each, ANSWER, "programs.model.answers") for each in self.settings["answers"]]

    def received(self, wire: str, frame: Frame) -> Handler:
        value = frame.value if isinstance(frame.value, dict) else {}
        path = PATHS.get(str(frame.method))
        if path is None:
            yield from self._end(404, {"detail": {"error_type": "not_found"}})
            return
        if self.settings["key"] is not None and header(value, "authorization") != f"Bearer {self.settings['key']}":
            yield from self._end(401, {"detail": {"error_type": "authentication_error"}})
            return
        if path == "models":
            yield from self._end(200, {"models": [_listed(name) for name in self.settings["models"]]})
            return
        request, problem = read_request(value.get("body"))
        if problem is not None:
            yield from self._end(422, {"detail": [problem]})
            return
        yield from self._decide(request)

    def _decide(self, request: Mapping[str, Any]) -> Handler:
        answer = self._answer(request)
        if answer is None:
            self.world.note("violation", p=self.given.p, why="the model's script has no answer to this request")
            yield from self._end(500, {"detail": {"error_type": "script_exhausted"}})
            return
        yield Wait(self.settings["think_ms"] if answer["think_ms"] < 0 else answer["think_ms"])
        yield At("deciding", {"operation": answer["operation"], "status": answer["status"]})
        body = answer["body"]
        if body is None:
            body = dumps(answered(request, answer))
        headers = [(str(name), str(text)) for name, text in answer["headers"]]
        yield Send(reply(answer["status"], body, headers))
        yield Exit(0)

    def _end(self, status: int, body: Json) -> Handler:
        yield Send(reply(status, dumps(body)))
        yield Exit(0)

    def _answer(self, request: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The next answer of the script; how often each was given is the run's, so the world keeps it."""
        used = self.world.model_script
        for number, answer in enumerate(self.script):
            if fits(answer, request) and (answer["times"] == 0 or used.get(number, 0) < answer["times"]):
                used[number] = used.get(number, 0) + 1
                return answer
        return None


def _listed(name: str) -> Json:
    return {"name": name, "description": "scripted", "release_date": "2026-09-01"}


def fits(answer: Mapping[str, Any], request: Mapping[str, Any]) -> bool:
    """Whether an answer of the script is meant for this request."""
    state = request["state"]
    goal = str(state.get("goal")) if isinstance(state, dict) else ""
    page = dumps(state)
    return (answer["goal"] is None or answer["goal"] in goal) and (answer["shows"] is None or answer["shows"] in page)


def problem(place: list[Json], text: str) -> dict[str, Json]:
    """What is wrong with a request, as the endpoint says it."""
    return {"loc": ["body", *place], "msg": text, "type": "value_error"}


def read_request(body: Json) -> tuple[dict[str, Any], dict[str, Json] | None]:
    """The request, and what is wrong with it."""
    try:
        request: Any = loads(str(body))
    except JsonTextError:
        return {}, problem([], "no JSON")
    if not isinstance(request, dict):
        return {}, problem([], "no object")
    questions = request.get("questions")
    if not isinstance(request.get("model"), str) or not request["model"]:
        return {}, problem(["model"], "a text is wanted")
    if "state" not in request or not isinstance(request["state"], str | dict | list):
        return {}, problem(["state"], "a text, an object or a list is wanted")
    if not isinstance(questions, dict) or not questions:
        return {}, problem(["questions"], "an object with at least one question is wanted")
    for name, question in questions.items():
        wrong = _question_problem(question)
        if wrong is not None:
            return {}, problem(["questions", name], wrong)
    return request, None


def _question_problem(question: Any) -> str | None:
    if not isinstance(question, dict) or question.get("type") not in KINDS:
        return f"a question has a type: {', '.join(KINDS)}"
    kind = question["type"]
    criteria: Any = question.get("criteria")
    wanted: Any = list if kind == "score" else dict
    if criteria is None and kind == "noul":
        return None
    least, most = KINDS[kind]
    if type(criteria) is not wanted or not least <= len(criteria) <= most:
        return f"a {kind} has {least} to {most} criteria"
    if kind == "score" and any(level is None for level in criteria):
        return "a level of a score has a description"
    if kind == "noul" and not set(criteria) <= {"true", "false"}:
        return "a noul has the criteria true and false"
    return None


def answered(request: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Json]:
    """The body of a reply: an answer to each question."""
    answers: dict[str, Any] = {}
    operation = _chosen(request["questions"].get("operation", {}), answer["operation"], by_name=True)
    for name, question in request["questions"].items():
        if name in answer["without"]:
            continue
        head = _head(name, question, answer, operation)
        if name in answer["probabilities"]:
            head["probabilities"] = {**head["probabilities"], **answer["probabilities"][name]}
        answers[name] = {**head, **answer["replace"].get(name, {})}
    tokens = len(dumps(dict(request))) // 4
    return {"model": request["model"], "answers": answers, "usage": {"input_tokens": tokens, "output_tokens": 0}}


def _head(name: str, question: Mapping[str, Any], answer: Mapping[str, Any], operation: str) -> dict[str, Any]:
    kind = question["type"]
    if kind == "noul":
        return {"type": kind, "noul": answer["visible"]}
    if kind == "score":
        return _score(question["criteria"])
    named = name == f"{operation.lower()}_target"
    wanted = operation if name == "operation" else answer["target"] if named else None
    options = [str(option) for option in question["criteria"]]
    chosen = _chosen(question, wanted, by_name=name == "operation")
    sure = answer["sure"] if name == "operation" else answer["target_sure"] if named else 0.5
    shares = distribution(options, chosen, sure)
    return {"type": kind, "choice": chosen, "confidence": sure, "probabilities": shares}


def _score(criteria: list[Any]) -> dict[str, Any]:
    """An ordered list: the middle of it."""
    options = [str(place) for place in range(len(criteria))]
    shares = distribution(options, options[len(options) // 2], 0.5)
    middle = sum(int(place) * share for place, share in shares.items())
    legend = {str(place): text for place, text in enumerate(criteria)}
    return {"type": "score", "score": middle, "confidence": 0.5, "probabilities": shares, "legend": legend}


def _chosen(question: Mapping[str, Any], wanted: str | None, by_name: bool) -> str:
    """The option that is wanted: by its name, or by a part of its description; the first one where none is."""
    criteria: Mapping[str, Any] = question.get("criteria") or {"": None}
    for option, said in criteria.items():
        if wanted is not None and (option == wanted or (not by_name and wanted in str(said))):
            return str(option)
    return next(iter(criteria))


def distribution(options: list[str], chosen: str, sure: float) -> dict[str, float]:
    """Probabilities of which the chosen one has this confidence, and the others share the rest."""
    count = len(options)
    top = 1 / count + sure * (1 - 1 / count)
    rest = (1 - top) / max(count - 1, 1)
    return {option: top if option == chosen else rest for option in options}
