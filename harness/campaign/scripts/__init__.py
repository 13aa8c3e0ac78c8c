"""Guards of JavaScript: page programs, the bridge of osascript, and the extension.

- `find`: the guards in a text, and the text without them; `tables`: which constants and functions hold guards.
- `programs`: which files a system has, and what really runs them.
- `lending`: one engine for all runs of a child, and what a run came by in its pages.
- `browser`: what tests in a real browser have found of guards that no run carries out.
- `ground`: the runs in which a program is really carried out, and by which of its guards each comes.

The model answers for a page program by its hash and runs none. So what becomes of a page without a guard is tried in
process runs on the engine; the bridge runs in virtual time, in QuickJS.
"""
