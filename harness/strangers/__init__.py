"""Somebody else's stack under the same faults and laws: an MCP server that starts the programs which are faked here.

- `adapter`: the YAML file that says of a stranger how it is started, how it finds the programs, what its tools mean.
- `wording`: a step in the words of the scenarios becomes a call of the stranger's own tool, with what that means.
- `binding`: a scenario of a stranger's subject, put to one stranger; whose stack it was stands in the run sheet.
- `process`: the stranger's process and its surroundings; `client`: MCP on its pipes; `stack`: both as a stack that the
  runner can open.

The stranger is a real process, so its runs are process runs. No claim of this project stands on them.
"""
