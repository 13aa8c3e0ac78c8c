"""Children give their answers, or are lost with the reason; one that hangs is ended by the kernel."""
from __future__ import annotations

import os
import signal
import sys

import pytest

from harness.campaign.executor import Lost, forked, in_process, limit_run


def test_in_process_answers_in_order() -> None:
    assert list(in_process([lambda: 1, lambda: {"a": 2}])) == [(0, 1), (1, {"a": 2})]


@pytest.mark.parametrize("at_once", [0, 1, 2, 9])
def test_each_job_is_answered_once_from_a_process_of_its_own(at_once: int) -> None:
    answers = dict(forked([lambda number=number: [number, os.getpid()] for number in range(5)], at_once))  # type: ignore[misc]
    assert [answers[number][0] for number in range(5)] == list(range(5))
    assert len({pid for _, pid in answers.values()} | {os.getpid()}) == 6


def test_no_job_is_no_answer() -> None:
    assert list(forked([], 3)) == []


def test_a_large_answer_comes_whole() -> None:
    ((_, answer),) = forked([lambda: "x" * 3_000_000], 1)
    assert len(answer) == 3_000_000


def hang() -> None:
    limit_run(0.05)
    while True:
        pass


def test_a_job_that_hangs_is_lost_by_its_fault() -> None:
    assert list(forked([hang], 1)) == [(0, Lost("hangs"))]


def test_a_job_that_raises_is_a_defect_of_the_job() -> None:
    def job() -> None:
        raise ValueError("three")

    assert list(forked([job], 1)) == [(0, Lost("ValueError: three", defect=True))]


def test_a_job_whose_answer_is_no_json_is_a_defect() -> None:
    ((_, answer),) = forked([object], 1)
    assert answer.defect


def test_a_job_that_dies_says_by_what() -> None:
    def job() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    assert list(forked([job], 1)) == [(0, Lost("ends with signal 9"))]


def test_a_job_that_leaves_without_a_word_is_a_defect() -> None:
    assert list(forked([lambda: os._exit(0)], 1)) == [(0, Lost("ends without an answer", defect=True))]


def test_a_change_stays_in_its_child() -> None:
    def job() -> bool:
        sys.modules["tests_planted"] = sys
        return "tests_planted" in sys.modules

    assert list(forked([job], 1)) == [(0, True)]
    assert "tests_planted" not in sys.modules


def test_whoever_stops_asking_leaves_no_child() -> None:
    pids: list[int] = []
    answers = forked([os.getpid, hang, hang], 3)
    pids.append(next(answers)[1])
    answers.close()  # type: ignore[attr-defined]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    assert pids
