"""Somebody else's stack: a server of the tests' own, good and bad, and three public ones where they are installed.

`server` is a stranger's MCP server in a few lines, with one flaw a law. `npm` and `pip` have the versions of the public
ones that `make engines` installs.
"""
