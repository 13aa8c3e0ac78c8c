"""Replay: a tape as a server (the player) and as a client (the probe).

- `player`: the machine. `settings`: what it is told; `__main__`, `command`, `options`: `trailcam replay`.
- `recording`: one process of a tape, read on as it is needed.
- `window`: what the client may send now, and which recorded frame it has sent.
- `bindings`: what is different in this session, put into the bytes that are sent; `template`: placeholders.
- `order`: another order by a seed. `miss`: the end of a replay that met something unexpected.
- `profiles`: what is known of a wire beside its dialect, as data. `pointers`: values by their JSON pointers.
- `describe`: docs/replay.md, from these tables.
"""
