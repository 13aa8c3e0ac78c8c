"""The main job: every scenario on every back that is here, under its cases and fault plans, judged, as evidence.

- `units`: what is to be run, in units that need nothing of each other; and what can't be, for want of which engine.
- `work`: one unit: the runs of one scenario with one profile on one back, their verdicts, teeth and evidence.
- `worker`: a process that works units off, one line each; `pool`: several of them.
- `again`: runs on the real clock that came too late, made again with nothing beside them.
- `outcome`: what all units came to, in words and as JSON.
"""
