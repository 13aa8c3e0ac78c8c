"""The system under verification: what drives Safari, Chrome and Mac applications for an agent.

contract.py      the ports: Host (the only way out), Caller (who asked), Stack (what is asked), and their values
errors.py        one tree of errors with stable codes, advice, and the official code and text where there is one
host.py          the real Host: programs at fixed paths, process trees, sockets, files, locks, randomness, the date
meeting.py       where the processes of one user meet; a part of the real Host
chrome/          page content of Chrome and its kin, through our extension and a native host
computer_use/    Mac applications through the signed Computer Use helper behind `codex app-server`
consent/         whether a restricted action may be done: grants, the judge, and the question for a task
systems.py       the systems that can be served, and what a command line sets of them

Nothing here imports the harness, the fakes or the reports: what they share with the stack is bytes on a wire. Time is
anyio's alone, and nothing outside host.py and meeting.py starts a program, opens a socket, or asks for randomness.
"""
