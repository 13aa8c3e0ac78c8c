"""How a caller names an action: by the number of the observation that listed it, and its id there.

Separate, because it is a promise: a ref means one action of one observation for ever, whatever was filtered out of the
list, and one of an older observation can be told from one of the latest.
"""

from __future__ import annotations

import re
from typing import Final

from stack.contract import Json
from stack.errors import CallError

_REF: Final = re.compile(r"([1-9][0-9]{0,8})\.([A-Za-z][A-Za-z0-9-]{0,31})")


def ref_of(observation: Json, action: Json) -> str:
    """The ref of an action."""
    return f"{observation}.{action}"


def read(ref: str) -> tuple[int, str]:
    """(number of the observation, id of the action). CallError for what is no ref."""
    found = _REF.fullmatch(ref)
    if found is None:
        raise CallError("invalid_arguments", f"{ref[:40]!r} is no ref such as 3.e5, as observe lists them")
    return int(found[1]), found[2]
