"""The stage: every program's machine of one run, in one process and one order of steps.

- `machine`: the shape of a machine, and what it is given.
- `stage`: one run: fault plan, journal, world record, sessions.
- `session`: one process: codecs, handlers in flight, faults. `outgoing`: what it writes.
- `pump`, `memory`, `virtual`: outputs to memory pipes under a virtual clock.
- `hosted`, `launch`: real children that hand their pipes to the stage.
- `stub`: what stands in the run folder under a program's name.
- `proxy`: a real program behind the same shell.
"""
