"""The page as JSON: the form that other programs read."""
from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from reports.page import Page

VERSION = 1


def text(page: Page) -> str:
    """The document: keys as in `reports.page.Page`, without pictures. One form for the same page."""
    value: dict[str, Any] = asdict(page)
    for scenario in value["scenarios"]:
        for run in scenario["runs"]:
            del run["picture"], run["open"]
    return json.dumps({"v": VERSION, **value}, indent=1, sort_keys=True, ensure_ascii=True) + "\n"
