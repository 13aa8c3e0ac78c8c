"""Faults: what goes wrong on a wire, in a process or in the world, each one a function from steps to steps.

- `steps`: what a machine, or a fault, may ask of the stage.
- `plan`: which fault strikes at which place of a run; what fired, and what did not.
- `reading`: the plan as JSON, checked whole before anything runs.
- `census`: which places a run had; the campaign is faults x census.
- `standard`: the plans that every scenario is run under.
- `registry`: the catalogue by name, each fault loaded when it is asked for.
- `argument`: what a fault may be told, with its bounds.
- `body`: the bytes of a frame inside their framing, and others in their place.
- `members`: a JSON text changed at one member, every other byte as it was.
- `problem`: what is wrong with a plan.
- `describe`: docs/faults.md, written from the catalogue.
- `catalogue/`: one fault a file. They have a folder of their own so that the folder is the table: a test compares
  the two, and the machinery above stays in sight.
"""
