"""Which application is meant: one canonical installed bundle identifier, or a refusal.

Separate because the helper takes names, paths and identifiers and picks by itself where several match; the stack
decides first, and passes on the identifier alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from stack.contract import Application, Host
from stack.errors import CallError, SetupError


def resolve(host: Host, target: str) -> str:
    """The bundle identifier that `target` (name, full path or bundle identifier) stands for.

    CallError(app_not_found) where nothing installed matches, CallError(app_ambiguous) where more than one does.
    """
    try:
        installed = host.applications()
        at_path = host.applications(target) if target.startswith("/") else None
    except OSError as error:
        raise SetupError(
            "applications_unreadable", f"the installed applications can't be listed ({error.strerror})"
        ) from error
    return choose(installed, target) if at_path is None else choose_at_path(installed, at_path, target)


def choose(installed: Sequence[Application], target: str) -> str:
    """By bundle identifier or name, without regard to case."""
    wanted = target.strip().casefold()
    matches = {
        application.bundle_id.casefold(): application.bundle_id
        for application in installed
        if wanted and wanted in (application.bundle_id.casefold(), *(name.casefold() for name in application.names))
    }
    return _single(sorted(matches.values()), target)


def choose_at_path(installed: Sequence[Application], at_path: Sequence[Application], target: str) -> str:
    """By path. The helper gets the identifier, so another bundle with the same one makes the path ambiguous."""
    chosen = _single([application.bundle_id for application in at_path], target)
    paths = {
        application.path
        for application in (*installed, *at_path)
        if application.bundle_id.casefold() == chosen.casefold()
    }
    if len(paths) > 1:
        raise CallError("app_ambiguous", f"{target!r} is one of {len(paths)} bundles with the identifier {chosen}")
    return chosen


def _single(identifiers: Sequence[str], target: str) -> str:
    if not identifiers:
        raise CallError("app_not_found", f"no installed application is called {target!r}")
    if len(identifiers) > 1:
        raise CallError("app_ambiguous", f"{target!r} names {len(identifiers)} applications: {', '.join(identifiers)}")
    return identifiers[0]
