"""The tape: what passed between the processes of one run, as an append-only journal in JSON lines.

Light (standard library, no slow imports; programs on a tape start with them):
- `event`: the kinds of event and their fields as tables, one line as text, bytes as text and back.
- `header`: the first line: where the tape came from, how far to trust it, how long.
- `schema`: checks a line by those tables.
- `problem`: what is wrong with a tape, with file and line.
- `read`, `write`: strict streaming reader; append-only writer that never harms the session it records.
- `redact`: secrets out of events before they are written; `rules` says which, `disguise` by what, `unescape` and
  `find` where they stand.

The rest, for people and their tools:
- `migrate`: older versions, one step at a time; `import_frames` is the step from frame logs.
- `views`: frames, exchanges and processes, built from the journal and never stored.
- `join`, `diff`, `lint`: one tape of several taps; where two tapes differ; what to know before trusting one.
- `save`: a whole tape to a file, all of it or nothing. `show`: a tape as text that can do a terminal no harm.
- `provenance`: the list of a folder of tapes. `describe`: docs/tape-format.md, from the tables.
"""
