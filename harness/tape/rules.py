"""What counts as a secret: names, shapes and protected protocol fields as tables, and the rules of one recording.

Names match whole and in any case. Globs such as `*token*` would strike protocol fields (maxTokens, progressToken,
nextPageToken), so `token` alone is not a name here either, nor is `pwd`, which is a folder as often as a password:
who wants them, says so.
"""
from __future__ import annotations

from harness.problem import UsageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAMES = (
    "authorization", "proxy-authorization", "proxy_authorization",
    "api_key", "api-key", "apikey", "x-api-key", "x_api_key", "subscription-key",
    "password", "passwd", "passphrase",
    "secret", "client_secret", "client-secret", "clientsecret", "secret_key", "secret-key", "secretkey",
    "access_token", "access-token", "accesstoken", "refresh_token", "refresh-token", "refreshtoken",
    "auth_token", "auth-token", "authtoken", "bearer_token", "bearertoken", "id_token", "idtoken",
    "session_token", "session-token", "sessiontoken", "x-auth-token", "csrf_token", "csrftoken", "x-csrf-token",
    "private_key", "private-key", "privatekey", "access_key", "access-key", "accesskey", "secret_access_key",
    "cookie", "set-cookie",
)  # fmt: skip
"""Members of objects, HTTP headers, options and `name=value` whose value is a secret. Lower case."""

WHOLE_LINES = frozenset({"cookie", "set-cookie"})
"""Names whose value in text goes on to the end of the line."""
SCHEMES = frozenset({b"bearer", b"basic", b"token", b"digest", b"negotiate"})
"""Words between `authorization:` and the secret itself."""

_DIGITS = b"0123456789"
_WORD = _DIGITS + b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_URL = _WORD + b"-_"


class Shape:
    """Text that is a secret by its look: `prefix`, then at least `least` bytes of `alphabet`, a digit among them.

    dots: how many full stops the rest has at least.
    """

    __slots__ = ("name", "prefix", "least", "alphabet", "dots")

    def __init__(self, name: str, prefix: bytes, least: int, alphabet: bytes, dots: int = 0) -> None:
        self.name = name
        self.prefix = prefix
        self.least = least
        self.alphabet = alphabet
        self.dots = dots


SHAPES = (
    Shape("bearer token", b"Bearer ", 16, _URL + b".~+/="),
    Shape("model API key", b"sk-", 20, _URL),
    Shape("GitHub token", b"ghp_", 30, _WORD),
    Shape("GitHub token", b"gho_", 30, _WORD),
    Shape("GitHub token", b"ghs_", 30, _WORD),
    Shape("GitHub token", b"ghu_", 30, _WORD),
    Shape("GitHub token", b"github_pat_", 30, _URL),
    Shape("GitLab token", b"glpat-", 16, _URL),
    Shape("Slack token", b"xoxb-", 20, _URL),
    Shape("Slack token", b"xoxp-", 20, _URL),
    Shape("AWS access key", b"AKIA", 16, _DIGITS + b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    Shape("Google API key", b"AIza", 30, _URL),
    Shape("JSON web token", b"eyJ", 30, _URL + b".", dots=2),
)
"""Looked for after a byte that is no letter or digit. The prefix stays, so that the kind can be seen."""
PEM_BEGIN, PEM_MIDDLE, PEM_END = b"-----BEGIN ", b"PRIVATE KEY-----", b"-----END "

PROTECTED = {
    "/jsonrpc": "version of the envelope",
    "/id": "pairs requests and replies",
    "/method": "what is asked",
    "/error/code": "kind of an error",
    "/params/protocolVersion": "the handshake",
    "/result/protocolVersion": "the handshake",
    "/params/capabilities/**": "the handshake",
    "/result/capabilities/**": "the handshake",
    "/params/_meta/progressToken": "pairs progress and its request",
    "/params/progressToken": "pairs progress and its request",
    "/params/requestId": "pairs a cancellation and its request",
    "/params/maxTokens": "a size",
    "/params/name": "which tool, prompt or server",
    "/params/tool": "which tool",
    "/params/server": "which server",
    "/emittedAtMs": "a time",
}
"""Pointer -> why no rule may change what stands there. `**` at the end is everything below.

A rule by name, pointer, pattern or shape passes over these. Where a value that was given as a secret stands in one,
neither promise may be broken: the frame is left out of the tape, and a gap says so.
"""

_PROTECTED = frozenset(PROTECTED)
_PROTECTED_BELOW = tuple(pointer.removesuffix("**") for pointer in PROTECTED if pointer.endswith("/**"))


def protects(pointer: str) -> bool:
    """Whether PROTECTED names this pointer."""
    return pointer in _PROTECTED or pointer.startswith(_PROTECTED_BELOW)


SHORTEST_LITERAL = 6
"""Bytes. A shorter secret can't be told from chance in arbitrary bytes."""


class Rules:
    """The rules of one recording. literals: secrets by value; pointers: JSON pointers with `*` and `**`;
    patterns: regular expressions on bytes, of which a group named `secret` (else the whole match) is the secret."""

    __slots__ = ("names", "literals", "pointers", "patterns", "shapes")

    def __init__(
        self,
        *,
        names: Sequence[str] = NAMES,
        literals: Sequence[bytes] = (),
        pointers: Sequence[str] = (),
        patterns: Sequence[str] = (),
        shapes: bool = True,
    ) -> None:
        short = [literal for literal in literals if len(literal) < SHORTEST_LITERAL]
        if short:
            raise UsageProblem(f"a secret of {len(short[0])} bytes", f"at least {SHORTEST_LITERAL} bytes",
                               "name the field it stands in instead, with key:NAME or pointer:/PATH")
        wrong = [pointer for pointer in pointers if not pointer.startswith("/")]
        if wrong:
            raise UsageProblem(f"the pointer {wrong[0]!r}", "a JSON pointer such as /params/arguments/text",
                               "begin it with a slash")
        for pattern in patterns:
            _check_pattern(pattern)
        self.names = tuple(sorted({name.lower() for name in names}))
        self.literals = tuple(dict.fromkeys(literals))
        self.pointers = tuple(pointers)
        self.patterns = tuple(patterns)
        self.shapes = shapes


def _check_pattern(pattern: str) -> None:
    import re  # slow to import, and only those who ask for patterns pay

    try:
        re.compile(pattern.encode())
    except re.error as error:
        raise UsageProblem(f"the pattern {pattern!r}: {error}", "a regular expression", "correct it") from None


WORDS = {
    "key": "key:NAME        values under this name, beside the built-in names",
    "env": "env:VARIABLE    the value of this environment variable, wherever it stands",
    "pointer": "pointer:/PATH   what stands at this JSON pointer; * is any member, ** everything below",
    "pattern": "pattern:REGEX   what matches; a group named `secret` narrows it",
}
"""How a rule is said on the command line. Secrets themselves never are: a command line can be read by others."""


def rules_of(words: Sequence[str], environment: Mapping[str, str]) -> Rules:
    """The built-in rules and those in `words` (see WORDS). Raises UsageProblem."""
    said: dict[str, list[str]] = {kind: [] for kind in WORDS}
    for word in words:
        kind, _, value = word.partition(":")
        if kind not in said or not value:
            forms = "; ".join(" ".join(text.split()) for text in WORDS.values())
            raise UsageProblem(f"the redaction rule {word!r}", f"one of {forms}", "correct the rule")
        said[kind].append(value)
    missing = [name for name in said["env"] if not environment.get(name)]
    if missing:
        raise UsageProblem(f"no value in the environment variable {missing[0]}", "a secret in it",
                           "set the variable, or leave the rule out")
    literals = [environment[name].encode("utf-8", "surrogateescape") for name in said["env"]]
    return Rules(names=(*NAMES, *said["key"]), literals=literals, pointers=said["pointer"], patterns=said["pattern"])


def secrets_of(environment: Mapping[str, str]) -> list[bytes]:
    """The values of environment variables with a secret's name (MODEL_API_KEY, DB_PASSWORD), if long enough."""
    found = []
    for name, value in environment.items():
        plain = name.lower()
        if any(plain == known or plain.endswith("_" + known) for known in NAMES):
            literal = value.encode("utf-8", "surrogateescape")
            if len(literal) >= SHORTEST_LITERAL:
                found.append(literal)
    return found


def matches(pattern: str, pointer: str) -> bool:
    """Whether a JSON pointer is one that a pattern with `*` and `**` names."""
    wanted, have = pattern.split("/"), pointer.split("/")
    if wanted[-1] == "**":
        wanted.pop()
        if len(have) < len(wanted):
            return False
        have = have[: len(wanted)]
    return len(wanted) == len(have) and all(want in ("*", part) for want, part in zip(wanted, have, strict=True))
