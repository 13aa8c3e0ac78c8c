"""Scenarios: what is asked of a stack, in which world, under which faults, and what must be so afterwards.

- `document`: YAML as nodes with lines: strict and bounded. `schema`: what a file may say, as tables.
- `scenario`: one file, read and checked. `compile`: a scenario and a choice, to a run sheet. `problem`: its errors.
- `runner`: runs a sheet, in virtual time or as processes. `play`: its steps. `history`: what a history has of them.
- `failing`: a host that fails where a scenario says so.
- `broken`: deliberately broken stacks, as data.
- `keep`: what a run left, as a kept run. `compare`: what must be equal between two modes, or two backs.
- `describe`: writes docs/scenarios.md.
"""
