"""A task group out of which an exception comes as it is.

anyio puts whatever ends a task group into a group of exceptions, which a caller that expects its own does not catch.
"""
from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskGroup


@asynccontextmanager
async def task_group() -> AsyncIterator[TaskGroup]:
    """anyio's task group. Raises the one exception that ended it, or a BaseExceptionGroup where there are several."""
    try:
        async with anyio.create_task_group() as tasks:
            yield tasks
    except BaseExceptionGroup as group:
        if len(group.exceptions) > 1:
            raise
        raise group.exceptions[0] from None
