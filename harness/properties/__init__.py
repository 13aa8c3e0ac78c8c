"""Properties: a state machine of Hypothesis draws scenarios with faults, and the eight laws are its invariants.

- `draft`: a scenario while it is drawn, as plain data: surroundings, steps, and faults aimed at places not yet known.
- `aim`: a fault aimed by three numbers, made an entry of a plan by the census of the same steps without faults.
- `vocabulary`: what can be drawn for a system, and what its calls are sure to come to; `computer_use` is one.
- `machine`: the rules, which only build a draft, and a teardown that has it run and judged.
- `trial`: runs a draft as `trailcam run` would, without faults and with them, and raises for a law that is broken.
- `tally`: what was drawn, run, and judged: a generator that never draws something is seen in it.
- `lessen`: makes a failure smaller on the scenario's own data.
- `text`: YAML as the scenario reader takes it. `found`: a failing draft as a scenario file, and ten runs of that file.
- `search`: one search with a profile (fast or deep). `__main__`: `make deep`.

Hypothesis is needed here and nowhere else in the harness; what is found runs without it.
"""
