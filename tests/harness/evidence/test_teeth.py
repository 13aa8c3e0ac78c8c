"""What turns a verdict is a tooth; what leaves it unknown is none."""
from __future__ import annotations

import pytest

from harness.evidence import teeth_of
from harness.laws.verdict import Word

HOLDS: dict[str, Word] = {"CUA-RUN-04": "holds"}
CASES: list[tuple[dict[str, Word], dict[str, dict[str, Word]], dict[str, tuple[str, ...]]]] = [
    (HOLDS, {}, {"CUA-RUN-04": ()}),
    (HOLDS, {"guard:a": {"CUA-RUN-04": "broken"}}, {"CUA-RUN-04": ("guard:a",)}),
    (HOLDS, {"guard:a": {"CUA-RUN-04": "holds"}, "fault:b": {"CUA-RUN-04": "unknown"}}, {"CUA-RUN-04": ()}),
    (HOLDS, {"guard:b": {"CUA-RUN-04": "broken"}, "fault:a": {"CUA-RUN-04": "broken"}},
        {"CUA-RUN-04": ("fault:a", "guard:b")}),
    (HOLDS, {"guard:a": {"CUA-RUN-05": "broken"}}, {"CUA-RUN-04": ()}),
    ({"CUA-RUN-04": "broken"}, {"guard:a": {"CUA-RUN-04": "holds"}}, {}),
    ({"CUA-RUN-04": "unknown"}, {"guard:a": {"CUA-RUN-04": "broken"}}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("verdicts", "variations", "teeth"), CASES)
def test_teeth(
    verdicts: dict[str, Word], variations: dict[str, dict[str, Word]], teeth: dict[str, tuple[str, ...]]
) -> None:
    assert teeth_of(verdicts, variations) == teeth
