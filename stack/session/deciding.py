"""The command `run`: the decision loop over a driver, its transcript printed as it is written.

Separate from the other commands: it is the only one that reaches a model. The loop runs where the command does, so that
ending the command ends the loop, and a session's server only ever sees single actions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from stack import decide
from stack.contract import Host, Json
from stack.decide.leg import Leg
from stack.decide.plan import Run, nothing, outcome
from stack.decide.port import Driver
from stack.decide.transcript import Line
from stack.errors import CallError
from stack.session.exits import NOT_DONE, OK, exit_of

MODEL_FILE = "model.json"
"""Published by the user: `{url, name, key}` of the model, closed to others."""


NOTHING_MOVED: Final = ("model_", "http_", "consent_")
"""What codes of errors begin with that are neither the page's nor the session's: the run is not done, that is all."""


def model_of(host: Host, given: argparse.Namespace, otherwise: decide.Model | None) -> decide.Model:
    """Where the model is. A key goes only to the address that it stands beside. CallError."""
    known = otherwise
    data = host.published().get(MODEL_FILE)
    try:
        if data is not None:
            known = decide.model_from(json.loads(data))
        if given.model is not None and (known is None or known.url != given.model):
            known = decide.model_from({"url": given.model})
    except ValueError as error:
        raise CallError("model_missing", f"the model can't be read: {error}") from None
    if known is None:
        raise CallError("model_missing", f"no model is named, and there is no {MODEL_FILE}")
    if given.model_name is None:
        return known
    return decide.model_from({"url": known.url, "name": given.model_name, "key": known.key})


def options_of(given: argparse.Namespace) -> decide.Options:
    """The options; what was left out is absent, and has its default."""
    named: dict[str, Json] = {
        "goal": given.goal,
        "plan": given.plan,
        "literals": given.literal,
        "execute": given.execute,
        "expect": given.expect,
        "min_confidence": given.min_confidence,
        "steady": given.steady,
    }
    return decide.options_from(named)


async def command(
    given: argparse.Namespace,
    host: Host,
    otherwise: decide.Model | None,
    say: Callable[[str], None],
    driving: AbstractAsyncContextManager[Driver],
) -> int:
    """Run it; 0 where it ended as done and, with --expect, proven. driving: entered when the words have been read."""
    model, options = model_of(host, given, otherwise), options_of(given)
    legs: list[Leg] = []

    def on_leg(leg: Leg) -> None:
        legs.append(leg)
        say(f"== {len(legs)}. {leg.goal}")

    def on_line(line: Line) -> None:
        say(line.text())

    async with driving as driver:
        ran = await decide.run(
            host,
            driver,
            model,
            options,
            on_leg=nothing if given.json else on_leg,
            on_line=nothing if given.json else on_line,
        )
    if given.json:
        say(json.dumps({**ran.shown(), **outcome(ran)}))
    else:
        say(last_line(ran, options))
    if ran.error is not None:
        return NOT_DONE if ran.error.code.startswith(NOTHING_MOVED) else exit_of(ran.error.code, session=True)
    return OK if ran.done else NOT_DONE


def last_line(ran: Run, options: decide.Options) -> str:
    """How the run ended."""
    if ran.error is not None:
        return f"failed  {ran.error}"
    if options.expect is not None and ran.proven is not None:
        verb = "shows" if ran.proven else "does not show"
        return f"{'proven' if ran.proven else 'not proven'}  the page {verb} {json.dumps(options.expect.pattern)}"
    return f"ended   {ran.ended}"
