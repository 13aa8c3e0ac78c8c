"""The tap: records a session between any client and any program that talks over its standard streams.

    client ═ 0,1,2 ═▶ loop ═ pipes ═▶ program          one process: forwards, and notes what it forwarded
                       └─ ring ─▶ scribe ─▶ tape        the writer process: decodes, redacts, writes

- `__main__`, `command`, `options`: from the words of the command line to one session, or to shims.
- `tap`: before a session: the tape is open and begun, or nothing is started. `session`: from its start to its end.
- `legs`, `loop`: the three streams, and forwarding them. `program`: what it inherits, and ending as it did.
- `signals`: what comes from outside, and whether the program got it already.
- `handover`: the ring of shared memory between the two processes.
- `writer`: the writer process as the tap holds it. `work`: its body. `scribe`: records to events. `heading`: the first
  line. `disk`: the file.
- `shim`: executables that stand in PATH under a program's name.

Light: imported under `<real interpreter> -SE`, standard library only. The rules: forward first; nothing that decodes,
redacts or writes may delay or harm the session; what could not be kept is a marked gap; never silently unrecorded.
"""
