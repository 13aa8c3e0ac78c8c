"""Ground truth of a run. A world changes only through its own methods, and each change is a line of the world record.

- `desktop`: a Mac desktop: leases, approvals, focus, the lock screen, and what a client was shown.
- `desktop_apps`: apps, windows and elements, read strictly from the run sheet.
- `desktop_changes`: what may happen to it by itself, as a table.
"""
