"""The instrument: record, replay, fault and judge the processes that an automation stack talks to.

- `wire`: bytes in, frames out. Codecs without I/O.
- `tape`: the journal of a run, its schema, reading, writing, redaction.
- `faults`: functions from steps to steps, and the plan that places them.
- `serve`: the stage, which runs every program's machine of one run.
- `replay`: a tape as a server (player) and as a client (probe).
- `record`: the transparent tap before a real program.
- `scenario`, `laws`, `evidence`: what is asked, how it is judged, what it proves.
- `commands`, `cli`: the command `trailcam`.
"""
