"""What a campaign must come to in CI: no law is broken, and all that is unknown has one reason that nobody can help.

    python -m tests.mutated FILE

FILE: what `trailcam mutate --json` printed. Its exit code is 3 for every unknown; here those are told apart. Where a
fault repeated or changed what the stack had sent, nobody can tell whose an effect is, whose target and value it has,
and what the outcome should say: laws 1 to 3 say so. Anything else that is unknown, a run that could not be made, or no
campaign at all, fails. Exit code 0 or 1.
"""
from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.faults.registry import FAULTS

OF_WHAT_WAS_SENT = (1, 2, 3)


def wrong(text: str) -> list[str]:
    """What is wrong with a campaign's document, in words."""
    try:
        made: Mapping[str, Any] = json.loads(text)
        found = [f"could not run: {words}" for words in made["unable"]]
        if made["could_not_run"] or not made["plans"]:
            found.append(f"{made['could_not_run']} runs of {made['plans']} could not be made")
        if made["inapplicable"] >= made["plans"]:
            found.append(f"no fault fired in any of {made['plans']} runs, so nothing was shown")
        if made["verdict"] not in (("holds", "unknown") if made["findings"] else ("holds",)):
            found.append(f"the verdict {made['verdict']!r}, with {len(made['findings'])} findings")
        left = [each for each in made["findings"] if not excused(each)]
        found += [f"{each['verdict']}: {each['why']}: {each['again']}" for each in left]
    except (ValueError, LookupError, TypeError) as error:
        return [f"no document of a campaign: {type(error).__name__}: {error}"]
    return found


def excused(finding: Mapping[str, Any]) -> bool:
    """Whether it is unknown because of faults that change what the stack sends."""
    forged = bool(finding["faults"]) and all(FAULTS[name].forges for name in finding["faults"])
    return finding["verdict"] == "unknown" and finding["law"] in OF_WHAT_WAS_SENT and forged


def main(words: Sequence[str]) -> int:
    found = wrong(Path(words[0]).read_text(encoding="utf-8"))
    print("\n".join(found) or "campaign: no law is broken, and nothing is unknown but what a fault repeated itself")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
