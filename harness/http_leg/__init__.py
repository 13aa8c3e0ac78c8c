"""The HTTP leg: what a stack asks of services (a judge, a model), recorded to a tape and replayed from it.

- `messages`: requests and replies, and how they stand in a tape's `flow` events.
- `recorder`: flows to a tape, redacted, in the order in which they were asked.
- `player`: answers from a tape, strictly in its order; everything else is a refusal, and nothing reaches the network.
- `proxy`: the one module that knows mitmproxy; it runs in a process of its own.
- `place`: where mitmproxy is installed, and starting that process.

mitmproxy has an environment of its own (`make engines`): what it pins can't be installed beside what the stack uses.
Its own server replay goes to the real upstream once the recorded replies are used up (its issue 8363), so it is not
used here.
"""
