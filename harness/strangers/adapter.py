"""The adapter of a stranger's stack: one strict YAML file, read into one value (docs/bring-your-own-stack.md).

Whatever an adapter says too much, too little or otherwise is refused with file, line, what was seen, what was expected
and the way out, before anything starts.
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness.faults.problem import nearest
from harness.kept.sources import canonical_hash
from harness.scenario.document import Node, read_file
from harness.scenario.problem import ScenarioProblem
from harness.scenario.schema import Table, read_section
from harness.strangers.problem import AdapterProblem
from harness.subjects import STRANGERS
from harness.wire.jsontext import dumps

ON_PATH = "PATH"
ARGUMENT = "argument"
CALL_MS = 30_000
PLACES = ("root", "here")
"""Names in braces that every adapter has: the checkout, and the stranger's working folder."""
NAMED = re.compile(r"\{([a-z_]+)(:json)?\}")
"""`{name}`, or `{name:json}` for the value as JSON text."""

ADAPTER: Table = {
    "stack": ("text", True, "name of the stranger's stack, as the world knows it"),
    "version": ("text", True, "its version"),
    "from": ("text", True, "where it comes from: npm, pypi, or a sentence"),
    "subject": ("text", True, f"the programs that it starts, and their world: {', '.join(STRANGERS)}"),
    "scenarios": ("texts", True, "paths below scenarios/ that it is put to"),
    "command": ("texts", True, "its command line; {root} is the checkout, {here} its working folder"),
    "finds": ("object", True, "program -> how it finds it: PATH, argument, or {env: NAME}"),
    "env": ("object", False, "variables beside PATH and HOME"),
    "files": ("object", False, "name -> text of a file in its working folder; a text that begins with #! is a program"),
    "needs": ("texts", False, "files that have to be there, as `make engines` puts them"),
    "call_ms": ("number", False, f"how long its client waits for an answer; {CALL_MS} where absent"),
    "failed": ("texts", False, "texts with which an answer says that it failed, where it is not marked as an error"),
    "unsure": ("texts", False, "texts with which an error says that the thing may have happened all the same"),
    "tools": ("object", True, "word of the scenarios -> the stranger's tool, its arguments, and what it means"),
}
TOOL: Table = {
    "tool": ("text", True, "name of the stranger's tool"),
    "arguments": ("object", False, "its arguments; {name} and {name:json} are arguments of the scenario's step"),
    "means": ("object", False, "what it means to change: {verb, ref, value}, with the same names in braces"),
}
MEANS: Table = {
    "verb": ("text", True, "verb of the world"),
    "ref": ("any", False, "the reference that the caller names, as the world shows it; none where absent"),
    "value": ("any", False, "value of the effect"),
}
LISTS = ("scenarios", "command", "needs", "failed", "unsure", "changing")
"""Fields of an adapter that are tuples, and lists in a run sheet."""
ADVICE = "see docs/bring-your-own-stack.md"


@dataclass(frozen=True, slots=True)
class Tool:
    """What a word of the scenarios is with this stranger."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    means: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Adapter:
    """See the module. file: as it was named on the command line. finds: program -> PATH, argument, or a variable's name
    after `env:`. changing: the calls of the scenario that it is put to which mean to change something (`call_of`)."""

    file: str
    stack: str
    version: str
    origin: str
    subject: str
    scenarios: tuple[str, ...]
    command: tuple[str, ...]
    finds: Mapping[str, str]
    env: Mapping[str, str]
    files: Mapping[str, str]
    needs: tuple[str, ...]
    call_ms: float
    failed: tuple[str, ...]
    unsure: tuple[str, ...]
    tools: Mapping[str, Tool]
    changing: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """What the run sheet has as `settings`: all of it, for one sheet is one run."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Adapter:
        """The adapter in a run sheet."""
        tools = {word: Tool(**tool) for word, tool in data["tools"].items()}
        lists = {key: tuple(data[key]) for key in LISTS}
        return cls(**{**data, **lists, "tools": tools})

    @property
    def identity(self) -> dict[str, str]:
        """Whose stack it is, as the run sheet says it."""
        content = {key: value for key, value in self.as_json().items() if key not in ("file", "changing")}
        return {"file": self.file, "name": self.stack, "version": self.version, "from": self.origin,
                "adapter": canonical_hash(content)}


def call_of(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call as one text, by which it is found again."""
    return dumps([tool, dict(arguments)], sort=True)


def load_adapter(path: Path) -> Adapter:
    """The adapter in a file. Raises AdapterProblem."""
    try:
        return _Reader(path.as_posix()).adapter(read_file(path))
    except ScenarioProblem as problem:  # of the reader that adapters and scenarios share
        raise AdapterProblem(problem.seen, problem.expected, ADVICE, file=problem.file, line=problem.line) from None


class _Reader:
    def __init__(self, file: str) -> None:
        self._file = file

    def _refuse(self, node: Node, seen: str, expected: str, advice: str = ADVICE, line: int | None = None) -> Exception:
        return AdapterProblem(seen, expected, advice, file=self._file, line=line or node.line)

    def adapter(self, root: Node) -> Adapter:
        nodes = read_section(root, ADAPTER, self._file, "an adapter")
        plain = {key: node.plain() for key, node in nodes.items()}
        for key in ("scenarios", "command", "tools", "finds"):
            if not plain[key]:
                raise self._refuse(nodes[key], f"an empty {key!r}", ADAPTER[key][2])
        if plain["subject"] not in STRANGERS:
            seen = f"the subject {plain['subject']!r}{nearest(plain['subject'], list(STRANGERS))}"
            raise self._refuse(nodes["subject"], seen, f"one of {', '.join(STRANGERS)}")
        adapter = Adapter(
            self._file, plain["stack"], plain["version"], plain["from"], plain["subject"], tuple(plain["scenarios"]),
            tuple(plain["command"]), self._finds(nodes), self._texts(nodes, "env"), self._texts(nodes, "files"),
            tuple(plain.get("needs", ())), plain.get("call_ms", CALL_MS), tuple(plain.get("failed", ())),
            tuple(plain.get("unsure", ())), self._tools(nodes["tools"]),
        )  # fmt: skip
        self._placeholders(adapter, nodes)
        return adapter

    def _finds(self, nodes: Mapping[str, Node]) -> dict[str, str]:
        """How the stack finds each program that it starts itself: the subject's first one at least."""
        uses = STRANGERS[nodes["subject"].value].uses
        found = {}
        for program, node in nodes["finds"].value.items():
            if program not in uses:
                raise self._refuse(node, f"{program!r} in finds{nearest(program, uses)}", f"one of {', '.join(uses)}",
                                   line=nodes["finds"].keys[program])
            way = node.plain()
            if isinstance(way, dict) and set(way) == {"env"} and isinstance(way["env"], str) and way["env"]:
                way = f"env:{way['env']}"
            elif way not in (ON_PATH, ARGUMENT):
                raise self._refuse(node, f"{way!r} for how it finds {program}", "PATH, argument, or {env: NAME}")
            found[program] = way
        if uses[0] not in found:
            raise self._refuse(nodes["finds"], f"finds without {uses[0]!r}", f"how the stack finds {uses[0]}")
        return found

    def _texts(self, nodes: Mapping[str, Node], key: str) -> dict[str, str]:
        node = nodes.get(key)
        found: dict[str, str] = node.plain() if node is not None else {}
        for name, text in found.items():
            assert node is not None
            if not isinstance(text, str):
                raise self._refuse(node.value[name], f"{name} = {text!r} in {key}", "a text", "put it into quotes")
            if key == "files" and (not name or "/" in name or name.startswith(".")):
                raise self._refuse(node.value[name], f"the file {name!r}", "a plain name in the working folder",
                                   line=node.keys[name])
        return found

    def _tools(self, node: Node) -> dict[str, Tool]:
        tools = {}
        for word, each in node.value.items():
            nodes = read_section(each, TOOL, self._file, f"the tool {word!r}")
            means = None
            if "means" in nodes:
                read_section(nodes["means"], MEANS, self._file, f"the means of {word!r}")
                means = {"ref": None, "value": None, **nodes["means"].plain()}
            arguments = nodes["arguments"].plain() if "arguments" in nodes else {}
            tools[word] = Tool(nodes["tool"].value, arguments, means)
        return tools

    def _placeholders(self, adapter: Adapter, nodes: Mapping[str, Node]) -> None:
        """What is in braces in command, variables and needs has to be a place, or a program that is an argument."""
        given = [program for program, way in adapter.finds.items() if way == ARGUMENT]
        known = (*PLACES, *given)
        used: set[str] = set()
        for key, texts in (("command", adapter.command), ("env", adapter.env.values()), ("needs", adapter.needs)):
            for text in texts:
                names = {name for name, _ in NAMED.findall(text)}
                used |= names
                for name in sorted(names - set(known)):
                    raise self._refuse(nodes[key], f"{{{name}}} in {key}{nearest(name, known)}",
                                       f"one of {', '.join(f'{{{each}}}' for each in known)}")
        for text in adapter.files.values():
            used |= {name for name, _ in NAMED.findall(text)}
        for program in given:
            if program not in used:
                raise self._refuse(nodes["finds"], f"{program} is an argument, and {{{program}}} is nowhere",
                                   f"{{{program}}} in command, env or files")
