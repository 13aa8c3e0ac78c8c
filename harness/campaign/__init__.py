"""Campaigns: every fault at every class of place, every guard of the stack taken out, every named wrong logic put in.

- `selection`: which plans of a scenario a fault campaign runs; `matrix`: what they came to, fault by law.
- `guards`: the guards in a source file, found in its syntax tree; `tables`: which tables' rows are guards.
- `removal`: the tree without a guard, and a fresh import of the stack with it.
- `tries`: the runs that may notice something; `covering`: which lines of the stack each of them reaches.
- `trial`: one change of the stack against the runs that reach it; `bench`: all of them, and what survives.
- `equivalent`: written reasons why a guard may be taken out unnoticed, each checked.
- `wrong_logic`: named mistakes as source patches, each with the scenario that catches it.
- `teeth`: what the trials say about claims, kept for the evidence.
- `executor`: in this process, or in forked children; a cluster is left out, since two cores are enough.

All runs here are in virtual time. A changed stack lives in a forked child alone; no file is touched.
"""
