"""What is a guard in JavaScript, what is left without it, and that nothing else changes."""
from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest

from harness.campaign.scripts.find import counted, displays, find, parse, without
from harness.campaign.scripts.programs import PROGRAMS, texts_of
from harness.problem import Problem
from harness.scenario.runner import ROOT

FILE = "stack/sample.js"
PAGE = "stack/safari_jxa/page.js"
BRIDGE = "stack/safari_jxa/bridge.js"

CASES = (
    ("throw", "if (x) throw new Error(x);", "if (x) ;"),
    ("refusal", "if (x) { return null; }", "if (x) { ; }"),
    ("refusal", "if (x) return;", "if (x) ;"),
    ("refusal", 'if (x) return {status: "document"};', "if (x) ;"),
    ("refusal", "if (x) return {ok: false, why};", "if (x) ;"),
    ("refusal", "if (x) return answer({ ok: false });", "if (x) ;"),
    ("refusal", "if (x) return {reason};", "if (x) ;"),
    ("refusal", "if (x) return NOTHING;", "if (x) ;"),
    ("refusal", "switch (x) { case 1: return false; }", "switch (x) { case 1: ; }"),
    ("refusal", "try { g(); } catch (error) { return error; }", "try { g(); } catch (error) { ; }"),
    ("refusal", "for (const y of x) { if (y) continue; g(y); }", "for (const y of x) { if (y) ; g(y); }"),
    ("refusal", "return g(x) ? x : null;", "return (x);"),
    ("refusal", "return g(x) ? {reason: 1} : {};", "return ({});"),
    ("bound", "if (x.length > 3) g(); h();", "if (false) g(); h();"),
    ("bound", "while (x <= 3) g();", "while (true) g();"),
    ("deadline", "timer = setTimeout(() => g(), 300);", "timer = undefined;"),
    ("cleanup", "port.disconnect();", ";"),
    ("cleanup", "await port.close();", ";"),
)


@pytest.mark.parametrize(("kind", "before", "after"), CASES)
def test_what_is_left_of_a_guard(kind: str, before: str, after: str) -> None:
    text = "async function f(x) {{ /* é */ {} }}"
    (site,) = find(text.format(before), FILE)
    assert site.guard.id == f"guard:{FILE}#f:{kind}:1"
    assert without(text.format(before), FILE, [site.guard.id]) == text.format(after)


@pytest.mark.parametrize("text", [
    "function f(x) { return null; }",
    'function f(x) { if (x) return {status: "ok"}; }',
    'function f(x) { if (x) return "link"; }',
    "function f(x) { if (x) return true; }",
    "function f(x) { for (let at = 0; at < x.length; at += 1) g(at); }",
    "function f(x) { const y = x ? x : null; return y; }",
    "function f(x) { return g(x) ? null : undefined; }",
    "function f(x) { g(x.close()); }",
])  # fmt: skip
def test_what_is_no_guard(text: str) -> None:
    assert find(text, FILE) == []


def test_a_comparison_that_alone_refuses_is_one_guard() -> None:
    text = "function f(x) { if (x > 3) return null; if (x > 3 && y) throw x; }"
    assert [site.guard.kind for site in find(text, FILE)] == ["refusal", "bound", "throw"]


def test_names_are_those_of_functions_constants_and_members() -> None:
    text = """class A { m(x) { if (x) return null; } }
    const b = (x) => { if (x) throw x; };
    const METHODS = {go: (x) => { if (x) throw x; }};
    (function () { if (x) throw x; })();"""
    assert [site.guard.id.partition("#")[2] for site in find(text, FILE)] == [
        "A.m:refusal:1", "b:throw:1", "go:throw:1", "module:throw:1",
    ]  # fmt: skip


def test_a_functions_reasons_are_refusals_where_the_table_says_so() -> None:
    text = 'function (request) { function blocked(x) { if (x) return "covered"; return null; } }'
    assert len(find(f"({text})", PAGE)) == 1
    assert find(f"({text})", FILE) == []


def test_rows_go_with_their_comma_and_words_out_of_their_text() -> None:
    text = "const GONE = new Set([-1, -2, -3]);"
    ids = [site.guard.id for site in find(text, BRIDGE)]
    assert without(text, BRIDGE, ids[:1]) == "const GONE = new Set([ -2, -3]);"
    assert without(text, BRIDGE, ids[2:]) == "const GONE = new Set([-1, -2]);"
    words = 'const GONE = new Set(("a b " +\n"c").split(" "));'
    assert [site.guard.text for site in find(words, BRIDGE)] == ["GONE: a", "GONE: b", "GONE: c"]
    assert '" b "' in without(words, BRIDGE, [f"guard:{BRIDGE}#GONE:row:1"])


def test_rows_of_rows_are_the_inner_ones() -> None:
    text = 'const PARTS = {element: [["a", "b"], ["c", "d"]], page: [["e", "f"]]};'
    assert len(find(text, PAGE)) == 3
    assert list(displays(text)) == ["PARTS"]


def test_two_guards_go_together_even_one_inside_the_other() -> None:
    text = "function f(x) { if (x) return g(x) ? x : null; try { g(); } catch (e) { return x > 3; } }"
    ids = [site.guard.id for site in find(text, FILE)]
    both = without(text, FILE, ids)
    assert parse(both) is not None
    assert "return x > 3" not in both


def test_an_unknown_guard_is_refused() -> None:
    with pytest.raises(Problem, match="f:throw:2"):
        without("function f() { throw 1; }", FILE, [f"guard:{FILE}#f:throw:2"])


def test_what_is_no_javascript_is_refused() -> None:
    with pytest.raises(Problem, match="syntax error"):
        find("function f( {", FILE)


def test_without_the_parser_nothing_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *args: Any, **more: Any) -> Any:
        if name == "tree_sitter_javascript":
            raise ImportError("no", name=name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(Problem, match="no module tree_sitter_javascript"):
        parse("1")


def test_a_counter_is_put_at_each_guard_and_changes_nothing_else() -> None:
    text = "function f(x) { if (x > 3 && x) return g(x) ? null : x; if (y) return; }"
    numbers = {site.guard.id: number for number, site in enumerate(find(text, FILE))}
    assert counted(text, FILE, lambda id: f"c({numbers[id]})") == (
        "function f(x) { if ((c(0), x > 3) && x) return (c(1), g(x) ? null : x); if (y) {c(2);return;} }"
    )


@pytest.mark.parametrize("system", sorted(PROGRAMS))
def test_every_removal_in_the_stack_is_javascript_and_takes_that_guard_out(system: str) -> None:
    for file, text in texts_of(system, Path(ROOT)).items():
        sites = find(text, file)
        assert len({site.guard.id for site in sites}) == len(sites)
        for site in sites[::5]:
            changed = without(text, file, [site.guard.id])
            parse(changed)
            assert changed != text
        parse(counted(text, file, lambda id: "c(1)"))
