"""A Stack as an MCP server, between the official SDK and the bytes of one client.

messages.py      lines of JSON to and from the SDK's messages: strict in, lossless out
stdio.py         the standard input and output of this process as byte streams that nothing else can write into
caller.py        the client as the stack's Caller: elicitation toward it, and the notice of a longer list
results.py       replies, listings and errors in the shape of MCP, with code, advice and evidence

stack/server.py puts them together; stack/cli.py is the command.
"""
