"""The tests: a mirror of the source, and what concerns the tree as a whole.

- `harness`, `fakes`, `stack`, `reports`: one file a source file (harness/wire/x.py, tests/harness/wire/test_x.py).
- `test_tidy.py`, `tidy`: the rules of the house, each of which is itself tested on bad text.
- `measure.py`: runs the suite under coverage and judges lines and branches (`make test`).
- `documents.py`: writes or checks every generated document (`make docs`).
- `mutated.py`: what CI makes of a campaign of faults.
- `conftest.py`: the network guard, engines by name, and `--no-skips`.
"""
