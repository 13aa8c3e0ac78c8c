"""A tap of one page, transparent unless it is told what to do wrong: what the checks of the real one must see.

It forwards with a thread for each stream, and writes its tape on the way.
"""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.harness.record.sessions import ROOT, program

SIMPLE_TAP = f"""
import os, select, signal, subprocess, sys, threading
sys.path.insert(0, {str(ROOT)!r})
from harness.tape.header import Header
from harness.tape.write import Writer
wrong, out, command = sys.argv[1], sys.argv[2], sys.argv[3:]
holds, gone = os.pipe()
if wrong in ("a reply when it is killed", "held open when it is killed") and os.fork() == 0:
    os.close(gone)
    os.read(holds, 1)
    if wrong == "a reply when it is killed":
        os.write(1, b'{{"id":1,"error":{{"code":-32603,"message":"the tap was killed"}}}}\\n')
    else:
        waiting = select.poll()
        waiting.register(0, 0)
        waiting.poll()
    os._exit(0)
os.set_inheritable(gone, False)
child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
if wrong != "keeps signals":
    signal.signal(signal.SIGTERM, lambda *_: child.send_signal(signal.SIGTERM))
else:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if wrong == "a banner":
    os.write(2, b"recording\\n")
file = open(out, "wb", buffering=0)
origin = {{"strength": "model", "products": [], "platform": "here", "recorder": "simple"}}
batch_size = 1 << 20 if wrong == "a tape at the end" else 0
writer = Writer(file.write, Header(origin, wires={{"simple": {{"stdio": "raw"}}}}), batch_size=batch_size)
writer.put("started", t=0, p=1, program="simple", argv=[], env=[])
lock = threading.Lock()
held = []

def note(name, data):
    with lock:
        if not (wrong == "a tape of half" and name == "in"):
            writer.put_bytes(data, t=0, p=1, s=name)

def carry(name, source, sink):
    while data := os.read(source, 65536):
        note(name, data)
        if wrong == "a byte less" and name == "out":
            data = data[:-1]
        if wrong == "lines of text":
            data = data.replace(b"\\r\\n", b"\\n")
        if wrong == "takes everything" and name == "out":
            held.append(data)
            data = b""
        while data:
            try:
                data = data[os.write(sink, data):]
            except OSError:
                return
    if held:
        os.write(sink, b"".join(held))
    if wrong != "holds ends open" and sink != 2:
        os.close(sink)

legs = [("in", 0, child.stdin.fileno()), ("out", child.stdout.fileno(), 1),
        ("err", child.stderr.fileno(), 1 if wrong == "stderr on stdout" else 2)]
threads = [threading.Thread(target=carry, args=leg, daemon=True) for leg in legs]
for thread in threads:
    thread.start()
status = child.wait()
for thread in threads[1:]:
    thread.join()
writer.put("exited", t=0, p=1, status=status)
writer.close()
if wrong == "status 0":
    status = 0
if status < 0 and wrong == "a status for a signal":
    status = 128 - status
if status < 0:
    if status != -9:
        signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
os._exit(status)
"""


def simple_tap(wrong: str, tape: Path, command: Sequence[str]) -> list[str]:
    """The command of a tap before `command` that writes `tape`; wrong: what it does wrong, or `nothing`."""
    return program(SIMPLE_TAP, wrong, str(tape), *command)
