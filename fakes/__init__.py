"""The understudies: programs that speak the real protocols over one ground truth, and never share code with the stack.

- `programs`: the table of machines by program name, and of worlds.
- `settings`: strict reading of what a run sheet says about a world or a program.
- `worlds/`: ground truth; the only place that writes the world record.
- `fronts/`: what is peculiar to each program: command line, handshake, texts, exit codes.
- `describe`: docs/fakes-codex.md from their tables.
"""
