"""CSS selectors over the nodes of a page: what page programs ask for with querySelectorAll.

Types, `*`, `#id`, `.class`, attributes with every operator and the flag `i`, the four combinators, lists, and the
pseudo-classes of `PSEUDO`, `:not()` and `:is()`. Anything else is refused as unknown, and never matched by guess: the
real engine knows more, and a fake that answered would answer wrongly.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fakes.worlds.page import Node

SPACE = " \t\n\r\f"
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


KEPT = 256
"""Selectors that are parsed once: page programs ask for the same few again and again."""
_parsed: dict[str, list[list[tuple[str, list[Callable[[Node], bool]]]]]] = {}


class SelectorError(ValueError):
    """The text is no selector (`SyntaxError` in a page), or one that this fake does not know. known: which of both."""

    def __init__(self, why: str, known: bool = True) -> None:
        super().__init__(why)
        self.known = known


def select(body: Node, selector: str) -> list[Node]:
    """Nodes under and including `body` that match, in the order of the tree; none of shadow roots or frames."""
    chains = parse(selector)
    return [node for node in body.walk() if any(_fits(node, chain) for chain in chains)]


def matches(node: Node, selector: str) -> bool:
    return any(_fits(node, chain) for chain in parse(selector))



def _fits(node: Node, chain: list[tuple[str, list[Callable[[Node], bool]]]]) -> bool:
    """Whether a node matches a chain: its last compound, and each one before by the combinator that follows it."""
    *before, (_, last) = chain
    if not all(test(node) for test in last):
        return False
    if not before:
        return True
    combinator = chain[-1][0]
    return any(_fits(candidate, before) for candidate in _candidates(node, combinator))


def _candidates(node: Node, combinator: str) -> Iterator[Node]:
    parent = node.parent
    if combinator == ">":
        if parent is not None:
            yield parent
    elif combinator == " ":
        while parent is not None:
            yield parent
            parent = parent.parent
    elif parent is not None:
        siblings = _elements(parent)
        at = siblings.index(node) if node in siblings else 0
        yield from siblings[at - 1 : at] if combinator == "+" and at else siblings[:at] if combinator == "~" else ()


def _elements(parent: Node) -> list[Node]:
    return [child for child in parent.children if not isinstance(child, str)]


def parse(selector: str) -> list[list[tuple[str, list[Callable[[Node], bool]]]]]:
    """A selector list: chains of (combinator before it, tests of the compound). Raises SelectorError."""
    if selector in _parsed:
        return _parsed[selector]
    reader = _Reader(selector)
    chains = reader.chains("")
    if reader.at < len(selector):
        raise SelectorError(f"'{selector}' is not a valid selector.")
    if len(_parsed) == KEPT:
        _parsed.clear()
    _parsed[selector] = chains
    return chains


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def bad(self) -> SelectorError:
        return SelectorError(f"'{self.text}' is not a valid selector.")

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def spaces(self) -> bool:
        before = self.at
        while self.peek() and self.peek() in SPACE:
            self.at += 1
        return self.at > before

    def chains(self, end: str) -> list[list[tuple[str, list[Callable[[Node], bool]]]]]:
        found = [self.chain(end)]
        while self.peek() == ",":
            self.at += 1
            found.append(self.chain(end))
        return found

    def chain(self, end: str) -> list[tuple[str, list[Callable[[Node], bool]]]]:
        self.spaces()
        chain = [("", self.compound())]
        while True:
            combinator = " " if self.spaces() else ""
            if not self.peek() or self.peek() in ("," + end):
                return chain
            if self.peek() in ">+~":
                combinator = self.peek()
                self.at += 1
                self.spaces()
            if not combinator:
                raise self.bad()
            chain.append((combinator, self.compound()))

    def compound(self) -> list[Callable[[Node], bool]]:
        tests: list[Callable[[Node], bool]] = []
        if self.peek() == "*":
            self.at += 1
            tests.append(lambda node: True)
        elif self.peek() in _PLAIN or self.peek() == "\\" or self.peek() > "\x7f":
            tests.append(_tag(self.name()))
        while self.peek() and self.peek() in "#.[:":
            mark = self.peek()
            self.at += 1
            if mark == "#":
                tests.append(_attribute("id", "=", self.name(), False))
            elif mark == ".":
                tests.append(_attribute("class", "~=", self.name(), False))
            elif mark == "[":
                tests.append(self.attribute())
            else:
                tests.append(self.pseudo())
        if not tests:
            raise self.bad()
        return tests

    def name(self) -> str:
        out = []
        while self.peek() and (self.peek() in _PLAIN or self.peek() == "\\" or self.peek() > "\x7f"):
            if self.peek() == "\\":
                self.at += 1
                out.append(self.escape())
            else:
                out.append(self.peek())
                self.at += 1
        if not out or (out[0].isdigit() and self.text[self.at - len(out)] == out[0]):
            raise self.bad()
        return "".join(out)

    def escape(self) -> str:
        digits = ""
        while len(digits) < 6 and self.peek() and self.peek() in "0123456789abcdefABCDEF":
            digits += self.peek()
            self.at += 1
        if not digits:
            letter = self.peek()
            if not letter:
                raise self.bad()
            self.at += 1
            return letter
        if self.peek() and self.peek() in SPACE:
            self.at += 1
        return chr(min(int(digits, 16), 0x10FFFF))

    def attribute(self) -> Callable[[Node], bool]:
        self.spaces()
        name = self.name().lower()
        self.spaces()
        if self.peek() == "]":
            self.at += 1
            return lambda node: name in node.attributes
        operator = self.peek()
        self.at += 1
        if operator != "=":
            if not operator or operator not in "~|^$*" or self.peek() != "=":
                raise self.bad()
            operator += "="
            self.at += 1
        self.spaces()
        value = self.quoted() if self.peek() and self.peek() in "'\"" else self.name()
        self.spaces()
        loose = self.peek().lower() == "i"
        if loose or self.peek().lower() == "s":
            self.at += 1
            self.spaces()
        if self.peek() != "]":
            raise self.bad()
        self.at += 1
        return _attribute(name, operator, value, loose)

    def quoted(self) -> str:
        quote = self.peek()
        self.at += 1
        out = []
        while self.peek() != quote:
            if not self.peek() or self.peek() == "\n":
                raise self.bad()
            letter = self.peek()
            self.at += 1
            out.append(self.escape() if letter == "\\" else letter)
        self.at += 1
        return "".join(out)

    def pseudo(self) -> Callable[[Node], bool]:
        if self.peek() == ":":
            raise SelectorError(f"this fake knows no pseudo-elements: {self.text!r}", known=False)
        name = self.name().lower()
        if self.peek() == "(" and name in ("not", "is", "where"):
            self.at += 1
            chains = self.chains(")")
            if self.peek() != ")":
                raise self.bad()
            self.at += 1
            return lambda node: any(_fits(node, chain) for chain in chains) is (name != "not")
        if name not in PSEUDO or self.peek() == "(":
            raise SelectorError(f"this fake does not know :{name} in {self.text!r}", known=False)
        return PSEUDO[name]


def _tag(name: str) -> Callable[[Node], bool]:
    return lambda node: node.tag == name.lower()


def _attribute(name: str, operator: str, value: str, loose: bool) -> Callable[[Node], bool]:
    wanted = value.lower() if loose else value
    compare = OPERATORS[operator]

    def test(node: Node) -> bool:
        seen = node.attributes.get(name)
        return seen is not None and compare(seen.lower() if loose else seen, wanted)

    return test


OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda seen, wanted: seen == wanted,
    "~=": lambda seen, wanted: wanted in seen.split() and bool(wanted),
    "|=": lambda seen, wanted: seen == wanted or seen.startswith(wanted + "-"),
    "^=": lambda seen, wanted: bool(wanted) and seen.startswith(wanted),
    "$=": lambda seen, wanted: bool(wanted) and seen.endswith(wanted),
    "*=": lambda seen, wanted: bool(wanted) and wanted in seen,
}
CONTROLS = ("button", "input", "select", "textarea", "option", "optgroup", "fieldset")
PSEUDO: dict[str, Callable[[Node], bool]] = {
    "first-child": lambda node: node.parent is not None and _elements(node.parent)[0] is node,
    "last-child": lambda node: node.parent is not None and _elements(node.parent)[-1] is node,
    "only-child": lambda node: node.parent is not None and len(_elements(node.parent)) == 1,
    "empty": lambda node: not node.children,
    "checked": lambda node: node.checked,
    "disabled": lambda node: node.disabled and node.tag in CONTROLS,
    "enabled": lambda node: not node.disabled and node.tag in CONTROLS,
    "link": lambda node: node.tag in ("a", "area") and "href" in node.attributes,
    "any-link": lambda node: node.tag in ("a", "area") and "href" in node.attributes,
}
