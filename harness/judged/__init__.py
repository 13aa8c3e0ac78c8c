"""One kept run, judged: by the eight laws, and by what its scenario asserts of it.

- `match`: patterns over JSON values, with a few operators.
- `books`: history, world record, frames and processes of a run as lines that patterns fit.
- `then`: the items of a run sheet, each holds, broken or unknown.
- `run`: laws and items together, and what they come to for each claim.

Pure, and over kept runs alone: so a report judges a run again without running anything.
"""
from harness.judged.run import INAPPLICABLE, Judged, judge_run
from harness.judged.then import Said, judge_then

__all__ = ["INAPPLICABLE", "Judged", "Said", "judge_run", "judge_then"]
