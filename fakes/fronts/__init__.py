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
- `safaridriver`: Apple's driver: its command line, and its MCP server on stdio.
  - `safaridriver_arguments`, `safaridriver_settings`: its words; its settings with the profiles.
  - `safaridriver_tools`: its 17 tools as schemas. `safaridriver_table`: what carries each out.
  - `safaridriver_session`: one session: its window, the active tab, its waits.
  - `safaridriver_calls`, `safaridriver_page`, `safaridriver_logs`: the tools about tabs, pages, and what pages log.
  - `safaridriver_webdriver`: its WebDriver mode, one HTTP connection a process.
- `chrome`: a browser with our extension in it. `chrome_channel`: one of its native messaging ports.
  - `chrome_native`: native messaging as Chrome does it, as rows. `chrome_extension`: what the extension answers.
- `desktop_help`: native accessibility, OCR, pictures and real clicks over the browser's world.
- `osascript`: `osascript -l JavaScript`, a script in a real JavaScript engine that sends Apple Events.
  - `osascript_arguments`: its command line. `osascript_texts`: texts of errors, and the line on standard error.
  - `osascript_waiting`: how a script that blocks becomes a machine. `osascript_prelude.js`: what a script finds there.
"""
