"""Serves one Stack to one MCP client, over two byte streams, by the official SDK.

The SDK keeps the protocol: handshake, versions, ids, cancellation, and what a request must look like. Its typed results
are not used for what a helper gives, since they drop members that their schema does not know: the two results that
carry a helper's words pass around them (`Served.pass_unchanged`).

It speaks the revisions that begin with `initialize`. Those without (2026-07-28) forbid a server to ask its client
within a call, which is what an elicitation does; a newer client falls back by itself when `server/discover` is unknown.
"""

from __future__ import annotations

import math
from functools import partial
from importlib.metadata import version
from typing import Any, Final

import anyio
import mcp_types as types
from anyio.abc import ByteReceiveStream, ByteSendStream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import MCPError
from mcp.server.connection import Connection
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.runner import serve_connection
from mcp.server.session import ServerSession
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.message import SessionMessage
from mcp.shared.transport_context import TransportContext

from stack.contract import Json, Stack
from stack.errors import StackError
from stack.serving.caller import ClientCaller
from stack.serving.messages import LineTooLong, encode, read_messages
from stack.serving.results import listing_error, listing_of, result_of

LAST_WRITES_S: Final = 2
"""How long a client that is going away may take to read what was still to be said."""


class Served:
    """The handlers of one connection. cut_off: why it was not read to its end."""

    def __init__(self, stack: Stack, connection: Connection) -> None:
        self._stack = stack
        self._connection = connection
        self._unchanged: dict[ServerSession, dict[str, Json]] = {}
        self._calls = 0
        self._none_left = anyio.Event()
        self.cut_off: LineTooLong | None = None

    async def list_tools(
        self, context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        if params is not None and params.cursor is not None:
            raise MCPError(types.INVALID_PARAMS, "No cursor was given out: the list has one page")
        try:
            self._unchanged[context.session] = listing_of(await self._stack.tools())
        except StackError as error:
            raise listing_error(error) from error
        return types.ListToolsResult(tools=[])

    async def call_tool(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        caller = ClientCaller(self._connection.outbound, self._connection.client_capabilities)
        self._calls += 1
        try:
            reply = await self._stack.call(params.name, params.arguments or {}, caller)
        finally:
            self._calls -= 1
            if not self._calls:
                self._none_left.set()
        self._unchanged[context.session] = result_of(reply)
        return types.CallToolResult(content=[])

    async def take_back(self) -> None:
        """Take back every call in flight, and wait until each has cleaned up and says what came of it."""
        await self._stack.tell("cancel", None)
        while self._calls:
            self._none_left = anyio.Event()
            await self._none_left.wait()

    async def pass_unchanged(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """The SDK's own way through a request, after which a result that a handler put down goes out as it is. A
        request has a session object of its own, which is the one thing that both see."""
        result = await call_next(ctx)
        return self._unchanged.pop(ctx.session, result)


async def serve(
    stack: Stack, receive: ByteReceiveStream, send: ByteSendStream, *, name: str, grows: bool, stop: anyio.Event
) -> None:
    """Serve until the client closes either stream, or until `stop`; then calls in flight are taken back, and have
    cleaned up when this returns; after `stop` they are answered too.

    name: of the system. grows: whether the list of tools may get longer. Raises LineTooLong after
    that, where it had to cut the client off.
    """
    into, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
    outgoing, out_of = anyio.create_memory_object_stream[SessionMessage](math.inf)  # each answers something of theirs
    dispatcher: JSONRPCDispatcher[TransportContext] = JSONRPCDispatcher(
        incoming, outgoing, inline_methods=frozenset({"initialize"})
    )
    connection = Connection.for_loop(dispatcher)
    served = Served(stack, connection)
    server: Server[Any] = Server(
        f"trailcam-{name}",
        version=version("trailcam"),
        on_list_tools=served.list_tools,
        on_call_tool=served.call_tool,
    )
    server.middleware[:] = [served.pass_unchanged]  # in the place of telemetry, which the environment could switch on
    options = server.create_initialization_options(NotificationOptions(tools_changed=grows))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_write, out_of, send, stop)
        tasks.start_soon(_read, receive, into, outgoing.clone(), served, stop)
        await serve_connection(server, dispatcher, connection=connection, lifespan_state=None, init_options=options)
        tasks.cancel_scope.deadline = anyio.current_time() + LAST_WRITES_S
    if served.cut_off is not None:
        raise served.cut_off


async def _read(
    stream: ByteReceiveStream,
    into: MemoryObjectSendStream[SessionMessage | Exception],
    refused: MemoryObjectSendStream[SessionMessage],
    served: Served,
    stop: anyio.Event,
) -> None:
    """Read until the client has closed its end, or until `stop`; then the calls in flight may still say what came of
    them. What is closed here is the end of the connection to the SDK."""

    async def put(stream: MemoryObjectSendStream[Any], message: types.JSONRPCMessage) -> None:
        await stream.send(SessionMessage(message))

    async def until_stopped(scope: anyio.CancelScope) -> None:
        await stop.wait()
        scope.cancel()

    with into, refused:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(until_stopped, tasks.cancel_scope)
            try:
                await read_messages(stream, partial(put, into), partial(put, refused))
            except anyio.BrokenResourceError:
                pass  # the end of a client that was killed
            except LineTooLong as error:
                served.cut_off = error
            tasks.cancel_scope.cancel()
        if stop.is_set():
            await served.take_back()


async def _write(
    messages: MemoryObjectReceiveStream[SessionMessage], stream: ByteSendStream, stop: anyio.Event
) -> None:
    """Write what there is to say; once the client does not read any more that is its end."""
    gone = False
    with messages:
        async for message in messages:
            if not gone:
                try:
                    await stream.send(encode(message.message))
                except anyio.BrokenResourceError:
                    gone = True
                    stop.set()
