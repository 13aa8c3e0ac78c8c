"""What the fakes promise about the real programs, stated so that it runs on every back.

- `client`: a client of `codex app-server` over any process; `backs`: the model, and the real binaries.
- `checks`: `check_codex_*`, one fact each, free of pytest: they take a `connect`.
- `rig`: an MCP server that does what its caller asks for.
- `recordings`: the recorded sessions, played against the model: `compare` finds the differences, `normal` takes away
  what differs from run to run, `settings_of` says how each was recorded, `known_differences` lists what is left.
"""
