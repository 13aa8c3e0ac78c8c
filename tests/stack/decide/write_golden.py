"""Writes the golden requests anew. What has changed is to be looked at before it is kept."""

from __future__ import annotations

from tests.stack.decide.test_question import CASES, GOLDEN, written

if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name in CASES:
        (GOLDEN / f"{name}.json").write_bytes(written(name))
