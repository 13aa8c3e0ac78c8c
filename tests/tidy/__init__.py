"""The rules of the house, as data and functions on text; `tests/test_tidy.py` applies each to the whole tree.

- `tree`: what the tree holds, and one source file with its syntax tree.
- `imports`: which part may import which, and what light modules leave alone.
- `shape`: sizes, names, mirrored tests, tests that can fail, excepts that swallow.
- `homes`: what only named modules may touch (time, threads, processes, sockets, chance, the environment).
- `words`: what no file may say (places on somebody's machine, hosts, people).
- `claims`: the claims' form and number, and which are named by a test or scenario.

A rule gives findings, `path:line what`, and an empty list where all is well.
"""
