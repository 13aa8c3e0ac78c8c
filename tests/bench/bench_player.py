"""How fast a tape is served, and how faithfully: our player, the server itself, and peers, interleaved in one run.

    python -m tests.bench.bench_player [--rounds N] [--sessions N] [--json]

Each subject records the same session with its own recorder, once, and replays it in every round: whole sessions
(start, handshake, one call, end), and calls a second on recordings of 2,000 and 10,000 calls. A machine's speed drifts,
so subjects take turns within a round, and the figures are medians over the rounds. The sixteen sessions of the
fidelity suite come last. A peer that can't be installed is said to be missing, never left out silently.
"""
from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter_ns

from tests.bench.bench_tap import INITIALIZE, PEERS, PYTHON, ROOT, SERVER, Client, ensure_peer, request, tap_command
from tests.harness.replay import fidelity

ROUNDS = 3
SESSIONS = 15
"""Whole sessions of each subject in a round."""
SMALL, LARGE = 2_000, 10_000
TARGET_SESSION_MS = 25.0
TARGET_CALLS_PER_S = 8_000
TARGET_LARGE = 0.8
"""The rate on the large recording, at least, as a part of that on the small one."""

Command = Callable[[Path], list[str]]


@dataclass(frozen=True, slots=True)
class Subject:
    """record: from (server's command, recording) to what records it; replay: from a recording to what serves it."""

    name: str
    record: Callable[[Sequence[str], Path], list[str]] | None
    replay: Command


@dataclass(frozen=True, slots=True)
class Row:
    """One subject: medians over the rounds. large: the rate on the large recording over that on the small one."""

    name: str
    session_ms: float
    calls_per_s: float
    calls_per_s_large: float
    large: float


def subjects(server: Sequence[str]) -> tuple[list[Subject], list[str]]:
    """(what is compared, the server itself first; peers that are missing)."""
    player = [PYTHON, "-SE", str(ROOT / "harness" / "replay" / "__main__.py")]
    found = [
        Subject("the server itself", None, lambda path: list(server)),
        Subject("trailcam replay", tap_command, lambda path: [*player, str(path)]),
    ]
    commands = {name: ensure_peer(name, version) for name, version in PEERS.items()}
    rec, cassette = commands["mcp-rec"], commands["mcp-cassette"]
    if rec:
        found.append(Subject(
            "mcp-rec replay", lambda server, path: [str(rec), "record", "-o", str(path), "--", *server],
            lambda path: [str(rec), "replay", str(path)],
        ))
    if cassette:
        found.append(Subject(
            "mcp-cassette serve",
            lambda server, path: [str(cassette), "record", "--cassette", str(path), "--", *server],
            lambda path: [str(cassette), "serve", str(path)],
        ))  # fmt: skip
    return found, [f"{name} {PEERS[name]}" for name, command in commands.items() if command is None]


def play(command: Sequence[str], calls: int) -> tuple[float, float]:
    """One session: (milliseconds from start to end, calls a second once it was up)."""
    messages = [request(number) for number in range(1, calls + 1)]
    began = perf_counter_ns()
    client = Client(command)
    try:
        client.await_reply(INITIALIZE)
        took = sum(map(client.call, messages))
    finally:
        client.close()
    return (perf_counter_ns() - began) / 1e6, calls / (took / 1e9)


def record(subject: Subject, server: Sequence[str], folder: Path, calls: int) -> Path:
    """A recording of a session with so many calls, by the subject's own recorder."""
    path = folder / f"{subject.name.replace(' ', '-')}-{calls}.jsonl"
    if subject.record is not None:
        play(subject.record(server, path), calls)
        assert path.stat().st_size > 100 * calls, f"{subject.name} wrote no recording"
    return path


def measure(rounds: int = ROUNDS, sessions: int = SESSIONS) -> tuple[list[Row], list[str]]:
    """(a row for each subject, peers that are missing)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        echo = folder / "echo.py"
        echo.write_text(SERVER)
        server = [PYTHON, "-SE", str(echo)]
        compared, missing = subjects(server)
        commands = {
            (subject.name, calls): subject.replay(record(subject, server, folder, calls))
            for subject in compared
            for calls in (1, SMALL, LARGE)
        }
        times: dict[str, list[float]] = {subject.name: [] for subject in compared}
        rates: dict[tuple[str, int], list[float]] = {key: [] for key in commands}
        for number in range(rounds):
            turn = compared[number % len(compared) :] + compared[: number % len(compared)]
            for _ in range(sessions):
                for subject in turn:
                    times[subject.name].append(play(commands[subject.name, 1], 1)[0])
            for calls in (SMALL, LARGE):
                for subject in turn:
                    rates[subject.name, calls].append(play(commands[subject.name, calls], calls)[1])
    rows = [row_of(subject.name, times[subject.name], rates) for subject in compared]
    return rows, missing


def row_of(name: str, times: Sequence[float], rates: dict[tuple[str, int], list[float]]) -> Row:
    """Medians; the ratio of the two rates is taken within a round."""
    small, large = rates[name, SMALL], rates[name, LARGE]
    return Row(
        name=name,
        session_ms=statistics.median(times),
        calls_per_s=statistics.median(small),
        calls_per_s_large=statistics.median(large),
        large=statistics.median(two / one for one, two in zip(small, large, strict=True)),
    )


def table(rows: Sequence[Row], missing: Sequence[str]) -> str:
    """The rows as Markdown, with each subject's session over the player's."""
    ours = next(row for row in rows if row.name == "trailcam replay")
    calls = f"calls/s at {SMALL:,} | calls/s at {LARGE:,} | {LARGE:,} over {SMALL:,}"
    lines = [
        f"| | whole session p50, ms | over ours | {calls} |",
        f"|{'---|' * 6}",
    ]
    for row in rows:
        lines.append(
            f"| {row.name} | {row.session_ms:.1f} | {row.session_ms / ours.session_ms:.2f} | {row.calls_per_s:,.0f} "
            f"| {row.calls_per_s_large:,.0f} | {row.large:.2f} |"
        )
    lines += [f"\nnot compared: {', '.join(missing)}"] if missing else []
    return "\n".join(lines)


def verdicts(rows: Sequence[Row]) -> dict[str, bool]:
    """Target in words -> whether it is reached. A peer that is missing is not slower than anything."""
    ours = next(row for row in rows if row.name == "trailcam replay")
    rec = [row for row in rows if row.name == "mcp-rec replay"]
    return {
        f"a whole session in at most {TARGET_SESSION_MS:g} ms (p50)": ours.session_ms <= TARGET_SESSION_MS,
        "no slower than mcp-rec": bool(rec) and ours.session_ms <= rec[0].session_ms,
        f"at least {TARGET_CALLS_PER_S:,} calls/s at {SMALL:,} calls": ours.calls_per_s >= TARGET_CALLS_PER_S,
        f"within 20 % of that at {LARGE:,}": ours.large >= TARGET_LARGE,
    }


def main(words: Sequence[str]) -> int:
    """0 where the targets hold, 1 where not."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_player")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    rows, missing = measure(args.rounds, args.sessions)
    with tempfile.TemporaryDirectory() as folder:
        faithful = fidelity.rows(Path(folder))
    found = verdicts(rows) | {"16 of 16 replays equal byte for byte": all(row.equal for row in faithful)}
    if args.json:
        print(json.dumps({
            "rows": [asdict(row) for row in rows], "missing": missing, "targets": found,
            "fidelity": [asdict(row) | {"equal": row.equal} for row in faithful],
        }))  # fmt: skip
    else:
        print(f"{table(rows, missing)}\n\n{fidelity.table(faithful)}\n")
        print("\n".join(f"target: {name}: {'holds' if holds else 'missed'}" for name, holds in found.items()))
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
