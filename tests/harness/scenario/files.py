"""Small scenario files for the tests: a whole one, and the same with one part replaced."""

from __future__ import annotations

from pathlib import Path

from harness.scenario.scenario import Scenario, load_scenario

SMALL = """\
scenario: A state is read
subject: computer-use
about: [codex, helper]
world:
  approvals: {com.apple.Chess: always}
steps:
  - {call: get_app_state, as: look, arguments: {app: Chess}, expect: done}
then:
  - claim: [CUA-RES-02]
    says: the call is counted
    every: {history: {e: answered, call: look}}
    has: {evidence: {directCalls: 1}}
cases:
  a turn begins:
    faults:
      - {fault: inject_turn, at: {program: codex, way: "<<", kind: reply, method: mcpServer/tool/call}}
    then:
      - claim: [CUA-RUN-04]
        says: the call fails
        every: {history: {e: answered}}
        has: {code: model_activity}
  another working folder:
    programs: {codex: {echo: {cwd: /elsewhere}}}
    only: {back: model}
    then:
      - claim: [CUA-RUN-07]
        says: the call is refused
        every: {history: {e: answered}}
        has: {code: thread_not_attested}
teeth:
  - {broken: answers, with: {evidence: {directCalls: 0}}, turns: [CUA-RES-02]}
"""


def loaded(tmp_path: Path, text: str = SMALL, **replaced: str) -> Scenario:
    """The scenario in `text`, with the lines of a top-level key replaced."""
    return load_scenario(written(tmp_path, text, **replaced))


def written(tmp_path: Path, text: str = SMALL, **replaced: str) -> Path:
    """A file with the scenario; `key=lines` puts other lines in the place of a top-level key, or adds it."""
    sections = sections_of(text)
    for key, lines in replaced.items():
        sections[key] = f"{key}: {lines}\n" if lines else ""
    path = tmp_path / "scenarios" / "computer-use" / "small.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(sections.values()), encoding="utf-8")
    return path


def sections_of(text: str) -> dict[str, str]:
    """Top-level key -> its lines."""
    sections: dict[str, str] = {}
    key = ""
    for line in text.splitlines(keepends=True):
        if line[0] not in " \n":
            key = line.partition(":")[0]
        sections[key] = sections.get(key, "") + line
    return sections
