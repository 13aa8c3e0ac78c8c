"""One machine a program: its command line, handshake, texts and exit codes over a world.

- `codex`: `codex app-server` on stdio.
  - `codex_arguments`: its command line and `-c` overrides.
  - `codex_profiles`: what differs between versions, as a table.
  - `codex_states`: which frame is legal in which state, as a table.
  - `codex_params`: the fields that each method reads, and the errors for bad ones.
  - `codex_thread`: what thread/start answers.
  - `codex_server`: one connection to an MCP server.
  - `codex_elicitation`: who answers an elicitation under which policy, as a table.
  - `codex_lines`: what is wrong with a line from the client.
- `helper`: the Computer Use helper as an MCP server.
  - `helper_tools`: its ten tools. `helper_errors`: its error texts. `helper_view`: how it draws a window.
- `codesign`, `lsappinfo`: the two command-line tools.
"""
