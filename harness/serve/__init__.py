"""The stage: every program's machine of one run, in one process and one order of steps.

- `machine`: the shape of a machine, and what it is given.
- `stage`: one run: fault plan, journal, world record, sessions. `dotted`: machines and worlds by name.
- `session`: one process: handlers in flight, faults. `handlers`: such made of others. `wires`: its codecs. `outgoing`:
  what it writes.
- `scheduler`: virtual time with a seeded order of tasks. `pump`: the one asynchronous pump. `memory`: its pipes.
- `services`: programs that are connected to. `network`, `sockets`: what can be dialled, in memory and in process runs.
- `service`: one service alone, for clients of strangers.
- `virtual`, `private`: the host of a virtual run, and the stack's private state in memory.
- `launch`: the run folder. `stub`, `process`, `stub_signals`: what stands in it under a program's name.
- `hosted`: real children that hand their pipes to the stage. `alone`: a stub that is its own stage.
- `channel`: sessions whose other end is a program of the stack's own side (our native host).
- `proxy`: a real program behind the same shell. `left`: what a process run leaves running.
"""
