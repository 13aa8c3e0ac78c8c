"""The eight laws: each a function of what a run left, its history and its world record. docs/laws.md is their text.

- `verdict`: three-valued verdicts, their precedence and exit codes.
- `facts`: one run as the judges look at it. `attribution`: which effect belongs to which call.
- `at_most_once`, `right_target`, `honest_outcome`, `bounded`, `consent`, `nothing_leaks`, `nothing_left`, `useful`:
  one judge each. `canary`: the forms of a canary, for law 6.
- `table`: the laws by number, and `judge`, which applies them all.
- `describe`: writes docs/laws.md from these modules and the tables of history and world record.
"""
from harness.laws.table import LAWS, Law, judge
from harness.laws.verdict import EXIT_CODES, Finding, Verdict, combine, exit_code, overall

__all__ = ["EXIT_CODES", "LAWS", "Finding", "Law", "Verdict", "combine", "exit_code", "judge", "overall"]
