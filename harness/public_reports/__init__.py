"""Public bug reports of the programs that are driven here, each with the scenario that shows that it harms nobody.

- `rows`: reads `scenarios/public-reports/SYSTEM.yaml`, strictly.
- `describe`: writes docs/public-reports.md from them.
"""
