"""Which page program a text is, by its hash: the model knows what a stack runs in a page by `programs.json` alone.

The model answers for a program as it was read when its answer was written. A program that changed has another hash, is
not recognised, and every run on the model fails until somebody has looked. Stacks and fakes share no code, so a test
compares the manifest with the stack's files.
"""

from __future__ import annotations

from harness.wire.jsontext import loads

try:
    from _sha2 import sha256 as _sha256  # type: ignore[import-not-found]
except ImportError:  # before Python 3.12
    from _sha256 import sha256 as _sha256  # type: ignore[import-not-found]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PATH = __file__.rpartition("/")[0] + "/programs.json"


def digest_of(text: str) -> str:
    """SHA-256 of a text in hex, without `hashlib`, whose import costs a third of a start."""
    return str(_sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


class Programs:
    """The manifest at a path, read on first use: SHA-256 of the program's text in hex -> its name."""

    def __init__(self, path: str = PATH) -> None:
        self._path = path
        self._names: Mapping[str, str] | None = None
        self._known: dict[str, str | None] = {}
        self._learned: dict[str, str] = {}

    def learn(self, program: str, name: str) -> None:
        """From now on know a text that the manifest does not have: of a campaign that changes programs on purpose."""
        self._learned[program] = name

    def recognise(self, program: str) -> str | None:
        """The name of a program; None for what the manifest does not have."""
        if program in self._learned:
            return self._learned[program]
        if program not in self._known:
            if len(self._known) > 64:  # texts of programs that are no programs must not pile up
                self._known.clear()
            if self._names is None:
                with open(self._path, encoding="ascii") as file:
                    self._names = loads(file.read())  # type: ignore[assignment]
                assert self._names is not None
            self._known[program] = self._names.get(digest_of(program))
        return self._known[program]


PROGRAMS = Programs()
"""By the manifest of this checkout."""
recognise = PROGRAMS.recognise
learn = PROGRAMS.learn
