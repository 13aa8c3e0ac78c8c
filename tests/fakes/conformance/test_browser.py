"""The rows of native messaging, on the fake browser; and what a wrong browser would be caught by."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
import trio

from fakes.fronts import chrome_channel, chrome_native
from tests.fakes.browser_rig import HostEnd, Run, run
from tests.fakes.conformance.checks_browser import CHECKS, Check, Seen


class Fake:
    """The back `model`: the fake browser, whose extension takes whatever a host says."""

    late_ms = 0.0

    def port(self, *script: tuple[str, Any], registered: str = "well", then: str = "", after_ms: float = 400) -> Seen:
        at: dict[str, float] = {}

        async def play(end: HostEnd) -> int:
            await end.hear()
            for step, value in script:
                if step == "say":
                    await end.say(value)
                elif step == "raw":
                    await end.stdout.send(value)
                elif step == "wait":
                    await anyio.sleep(value / 1000)
                elif step == "exit":
                    return int(value)
                elif step == "complain":
                    await end.stderr.send(b"x" * value)
                elif step == "close output":
                    await end.stdout.aclose()
                    at.setdefault("closed", trio.current_time())
                elif step == "until end":
                    while await end.hear() is not None:
                        pass
                    at["eof"] = trio.current_time()
                else:
                    at.setdefault("closed", trio.current_time())
                    await anyio.sleep_forever()
            return 0

        found: list[Seen] = []

        async def body(made: Run) -> None:
            while not (made.hosts or made.world.browsers[0].profiles[0].gave_up):
                await anyio.sleep(0.01)
            await anyio.sleep(0.2)
            if then:
                at["closed"] = trio.current_time()
                made.world.change("user", **{then: {"browser": 0}})
            await anyio.sleep(after_ms / 1000)
            killed = [seconds for status, seconds in made.statuses[:1] if status == -9]
            profile = made.world.browsers[0].profiles[0]
            found.append(Seen(
                profile.errors[0] if profile.errors else None, profile.channel is not None, tuple(profile.delivered),
                len(made.hosts), (killed[0] - at["closed"]) * 1000 if killed else None, "eof" in at,
            ))  # fmt: skip

        run(play, body, {"browsers": [{"registered": registered, "takes": "anything"}]})
        return found[0]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.__name__))
def test_check_on_the_fake(check: Check) -> None:
    check(Fake())


@pytest.mark.parametrize(
    ("name", "value", "check"),
    [
        ("KILLED_AFTER_MS", 9000, "check_chrome_browser_a_disconnect_is_an_end_of_input_and_then_a_kill"),
        ("EXITED", "", "check_chrome_browser_an_exit_has_no_status"),
        (
            "is_dropped",
            lambda frame: False,
            "check_chrome_browser_what_is_no_json_is_dropped_and_the_next_is_delivered",
        ),
        ("is_fatal", lambda frame: False, "check_chrome_browser_text_on_stdout_breaks_the_port"),
        ("delivered", lambda frame: frame.value, "check_chrome_browser_bad_utf8_is_delivered_with_replacements"),
    ],
)
def test_a_browser_of_another_behaviour_is_caught(
    name: str, value: Any, check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chrome_channel, name, value)
    with pytest.raises(AssertionError):
        next(each for each in CHECKS if each.__name__ == check)(Fake())


def test_each_row_that_is_a_hosts_doing_has_a_check() -> None:
    assert len(CHECKS) == 18
    assert set(chrome_native.ROWS) >= set(range(1, 24))
