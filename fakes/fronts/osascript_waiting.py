"""How a script that blocks becomes a machine: what it waits for is carried out by the stage, and then it goes on.

A script runs on the stack of its engine, and calls out of it for everything (`ask`). Two ways to stop it there:

- `Switched`: it runs in a greenlet, and asking switches to the stage's own. For stages that have many programs.
- `Nested`: it runs inside of a step, and asking lets the program's own loop go round until the answer is there. For a
  program that is its own stage, and for engines that look at their thread's stack, which greenlets move.

A script that is killed while it waits is not simply dropped, because its engine is on that stack: it is answered that
it is dead until it ends. A script catches what it likes, so there is an end to that, too.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any, Protocol, TypeAlias

    from harness.faults.steps import Handler, Step

    Request: TypeAlias = tuple[str, Any]
    """(op, argument)."""
    Serve: TypeAlias = Callable[[Request], Generator[Step, Any, Any]]

    class Waiting(Protocol):
        """body: runs the script, and gives what it came to; serve: makes the steps for what it asks."""

        def run(self, body: Callable[[], Any], serve: Serve) -> Generator[Step, Any, Any]: ...
        def ask(self, request: Request) -> Any: ...
        def kill(self) -> None: ...


DEAD = {"error": {"number": -128, "message": "the process is dead"}}
"""What a script is told that runs on after its process has ended."""
PATIENCE = 1000
"""How often a dead script is told so. One that goes on all the same is left where it waits, for ever."""


class Switched:
    """See the module."""

    def __init__(self) -> None:
        import greenlet  # type: ignore[import-untyped]

        self._current: Callable[[], Any] = greenlet.getcurrent
        self._make: Callable[[Callable[[], Any]], Any] = greenlet.greenlet
        self._script: Any = None

    def run(self, body: Callable[[], Any], serve: Serve) -> Generator[Step, Any, Any]:
        self._script = self._make(body)
        request = self._resume()
        while not self._script.dead:
            answer = yield from serve(request)
            request = self._resume(answer)
        return request

    def ask(self, request: Request) -> Any:
        return self._script.parent.switch(request)

    def _resume(self, *answer: Any) -> Any:
        self._script.parent = self._current()
        return self._script.switch(*answer)

    def kill(self) -> None:
        """The process has ended: unwind the script, so that its engine can be given up."""
        for _ in range(PATIENCE):
            if not self._script:  # never begun, or over
                return
            self._resume(DEAD)


class Nested:
    """See the module. within: carries out a handler from inside of a step, and gives what it returned."""

    def __init__(self, within: Callable[[Handler], Any]) -> None:
        self._within = within
        self._serve: Serve

    def run(self, body: Callable[[], Any], serve: Serve) -> Generator[Step, Any, Any]:
        self._serve = serve
        yield from ()
        return body()

    def ask(self, request: Request) -> Any:
        return self._within(self._serve(request))

    def kill(self) -> None:
        """The process ends where it stands."""
