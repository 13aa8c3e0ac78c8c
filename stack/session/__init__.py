"""Sessions: a window that stays between commands, and the loop that decides over it.

settings    what a stack of this package can be set to
stack       a Safari stack with two tools more: `run` and `command`
place       a session's name, its socket and its published file; whether its server lives, is dead, or never was
wire        what client and server say to each other: one JSON line each way
server      holds one window behind its socket
client      asks it
settle      waits until a page has come to rest
moved       what two observations differ in
refs        how a caller names an action of an observation
listing     observations and answers as text
arguments   the command line of the session commands
machine     what they work on
commands    what each of them does
deciding    the command `run`
over_mcp    the same over Safari's MCP server: `run --backend mcp`
terminal    the user at a terminal: what is to be done, and what an answer grants
exits       a code of an error -> an exit code
process     the background process of a server
"""

from stack.session.settings import Settings
from stack.session.stack import open

__all__ = ["Settings", "open"]
