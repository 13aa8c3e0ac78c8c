"""Replay: a tape as a server (the player) and as a client (the probe). docs/replay.md says what it does, and what not.

Both: `recording`, one process of a tape, read on as it is needed; `profiles`, what is known of a wire beside its
dialect, as data; `bindings`, what is different in this session, put into the bytes that are sent; `template`,
placeholders and pseudonyms; `pointers`, values by their JSON pointers.

- `player`: the machine. `settings`: what it is told. `__main__`, `command`, `options`: `trailcam replay`.
- `window`: what the client may send now, and which recorded frame it has sent. `compare`: whether a frame is one.
- `order`: another order by a seed. `miss`: the end of a replay that met something unexpected.
- `client`: what to send to a real program, and what came instead. `drift`: where the two differ. `probe`: the shell.
- `describe`: docs/replay.md, from these tables.
"""
