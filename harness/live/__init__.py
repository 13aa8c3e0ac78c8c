"""Live runs: the scenarios below scenarios/live/, against the real programs of a Mac, by explicit command only.

- `systems`: what there is to know of each system on a Mac: its programs, what is set by hand, what a run touches.
- `machine`: looks at this machine and changes nothing; `doctor`: what it has and lacks, and what to do by hand.
- `places`: where the programs of one run are: the real ones, or our fakes in their places (a rehearsal).
- `origins`: what stood behind each program. The one place where the strength `live` is given, and what it takes.
- `browser`: the manifest of a browser that starts the stack's side by itself, and the tap in it.
- `taps`: a shim of the tap before each program that may have one, and their tapes joined.
- `host`: the stack's host with taps before its programs; `witness`: what a run without a world writes its history by.
- `pages`: the one page that a run loads, served by itself; `carried`: names that a run gives, in its later steps.
- `play`: the steps of a run, which can be ended at any moment.
- `session`: one scenario, run, taped and ended; nothing of it stays. `drift`: what is different from committed tapes.
- `work`: all scenarios of one command, to evidence and a report; `results`: what they came to, in words and as JSON.

A rehearsal is the same code with another table of programs. It shows that the path works; it can never be `live`.
"""
