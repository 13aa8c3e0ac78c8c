"""The command line of safaridriver: what its words ask for, and what it says to those that it does not know.

Source: trailcam facts on Safari MCP, section 2. The wording of the help is our own.
"""

from __future__ import annotations

HELP = """Usage: safaridriver [options]
\t-h, --help                Prints out this usage information.
\t--version                 Prints out version information and exits.
\t-p, --port                Port number the driver should use.
\t--enable                  Applies configuration changes so that later sessions run without authentication.
\t--diagnose                Logs diagnostic information of all sessions to ~/Library/Logs/com.apple.WebDriver/.
\t-b, --bidi                Port number for WebDriver BiDi.
"""
MCP_HELP = "\t--mcp                     Runs as a Model Context Protocol server on standard input and output.\n"
PLAIN = {"-h": "help", "--help": "help", "--version": "version", "--enable": "enable", "--mcp": "mcp"}
"""Word -> what it asks for, of words that stand alone."""
ORDER = ("help", "version", "enable", "mcp", "port")
"""Where several are asked for, the first of these is done."""


class Wanted:
    """What a command line asks for. does: one of `ORDER`, or `usage` with the problem."""

    __slots__ = ("does", "port", "diagnose", "problem")

    def __init__(self) -> None:
        self.does = "usage"
        self.port: int | None = None
        self.diagnose = False
        self.problem = ""


def read_arguments(argv: list[str], mcp: bool) -> Wanted:
    """argv: without the program's name. mcp: whether this Safari knows --mcp."""
    wanted = Wanted()
    asked: list[str] = []
    words = iter(argv)
    for word in words:
        option, _, value = word.partition("=")
        if word in PLAIN and (mcp or word != "--mcp"):
            asked.append(PLAIN[word])
        elif word == "--diagnose":
            wanted.diagnose = True
        elif option in ("-p", "--port", "-b", "--bidi"):
            value = value or next(words, "")
            if not value.isascii() or not value.isdigit() or int(value) > 65535:
                wanted.problem = f"safaridriver: option '{option}' needs a port number\n"
                return wanted
            if option in ("-p", "--port"):
                wanted.port = int(value)
                asked.append("port")
        else:
            wanted.problem = f"safaridriver: unrecognized option '{word}'\n"
            return wanted
    if asked:
        wanted.does = next(each for each in ORDER if each in asked)
    return wanted


def help_text(mcp: bool) -> str:
    return HELP + (MCP_HELP if mcp else "")
