"""QuickJS, from the wheel `quickjs-ng`. The C module is used directly: its Python package starts a thread pool."""

from __future__ import annotations

from fakes.engines.javascript import SEAM, EngineMissing, ScriptProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.engines.javascript import Seam

STACK_BYTES = 2 << 20
"""Enough for deep JSON, and within what a greenlet has of the thread's eight megabytes."""


class QuickJs:
    """See `fakes.engines.javascript.Engine`."""

    name = "quickjs"

    def __init__(self, seam: Seam) -> None:
        try:
            import _quickjs  # type: ignore[import-not-found]
        except ImportError:
            raise EngineMissing(
                "no module _quickjs", "the wheel quickjs-ng", "install it, or name its folder in the sheet's `wheels`"
            ) from None
        self._error: type[Exception] = _quickjs.JSException
        self._context = _quickjs.Context()
        self._context.set_max_stack_size(STACK_BYTES)
        self._context.add_callable(SEAM, seam)

    def evaluate(self, source: str) -> str:
        try:
            value = self._context.eval(source)
        except self._error as error:
            raise ScriptProblem(str(error)) from None
        return value if isinstance(value, str) else ""
