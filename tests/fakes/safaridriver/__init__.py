"""What the fake safaridriver promises about Apple's, stated so that it runs on every back.

- `client`: an MCP client over any process. `backs`: the model; another back is another `Connect`.
- `checks_*`: `check_safaridriver_*`, one fact each, free of pytest: they take a `connect`.
- `pages`: the pages that the checks look at.
- `test_checks` runs them on the model, `test_teeth` on broken machines that each must catch; `test_strangers` has
  clients that nobody here wrote.

Provenance: no recording of Apple's program exists here. Every check names the section of trailcam facts on Safari MCP
that it states; those are second hand (clients' code and notes, WebKit's source), and what they leave open is a setting
of the fake or said to be ours in the module that does it. A run on a Mac can turn each check against the real program.
"""
