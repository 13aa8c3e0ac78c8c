"""One module a command of `trailcam`: its arguments, and what it prints. The work is done by the package it belongs to.

Each has `add(subparsers)`, which sets `run=function(args) -> int`; `harness/cli.py` finds it by its name. `record` and
`replay` are not here: they start without argparse, in harness/record and harness/replay.
"""
