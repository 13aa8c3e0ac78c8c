"""The faults, one a file. docs/adding-a-fault.md says how to add one, starting from `no_op`.

A module has NAME (its own name), LAYER, WAYS (the places it may be tied to: `>>`, `<<`, `moment`), HIDES_OUTCOME,
RECOVERABLE, ARGS (name -> Argument) and `apply(steps, args, rng)`; its docstring says what it does and what real
failure it stands for. Optional: KINDS (the frame kinds it can change, where not all), MOMENTS (the moments it makes
sense at), HIDES_KINDS and HIDES_WAYS (the kinds and ways of what hides an outcome, where not all), HIDES_AFTER (the
argument, in milliseconds, that must reach the deadline to hide the outcome), DENIES (on its way back it says that
nothing was done, whatever was) and FORGES (on its way toward the program it changes or repeats what that is told to
do).
"""
