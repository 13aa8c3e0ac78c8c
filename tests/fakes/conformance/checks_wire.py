"""Facts about the wire: the handshake, ids, lines that are no messages, and the errors for bad requests."""

from __future__ import annotations

from typing import Any

from tests.fakes.conformance.client import Client, Connect, Options, expect

LOADED = "thread/loaded/list"
"""A method that answers at once and needs no thread."""
NO_HELPER = Options(wanted=False)


async def check_codex_handshake(connect: Connect) -> None:
    """Answers, then says that there is no remote control. No jsonrpc member; a reply is id and result."""
    async with connect(NO_HELPER) as client:
        reply = await client.initialize(initialized=False)
        await client.notice("remoteControl/status/changed", status="disabled", environmentId=None)
        expect([sorted(frame) for frame in client.frames[:1]], [["id", "result"]], "members of the first frame")
        expect(client.frames[1]["method"], "remoteControl/status/changed", "the second frame")
        expect("emittedAtMs" in client.frames[1], client.version == "0.171.0", "whether notifications are stamped")
        expect(list(reply), ["id", "result"], "order of the members of a reply")
        wanted = ["userAgent", "codexHome", "platformFamily", "platformOs"]
        expect(list(reply["result"]), wanted, "members of the result of initialize")
        assert reply["result"]["userAgent"].startswith(f"check/{client.version} ("), reply
        assert reply["result"]["userAgent"].endswith(" unknown (check; 1)"), reply
        expect(await client.finish(), 0, "exit status")


async def check_codex_initialize_first(connect: Connect) -> None:
    """Before initialize everything is refused, and after it a second one; a bad one does not count."""
    async with connect(NO_HELPER) as client:
        for method, params in (("thread/start", {"ephemeral": True}), ("mcpServerStatus/list", {}), (LOADED, {})):
            _refused(await client.request(method, params), -32600, "Not initialized")
        bad = await client.request("initialize", {"clientInfo": {"name": "a\nb", "version": "1"}})
        _refused(bad, -32600, "Invalid clientInfo.name: 'a\nb'. Must be a valid HTTP header value.")
        await client.initialize(initialized=False)
        again = await client.request("initialize", {"clientInfo": {"name": "a", "version": "1"}})
        _refused(again, -32600, "Already initialized")
        await client.finish()


async def check_codex_initialized_is_not_enforced(connect: Connect) -> None:
    """Requests are served without the notification `initialized`."""
    async with connect(NO_HELPER) as client:
        await client.initialize(initialized=False)
        expect((await client.request(LOADED, {}))["result"]["data"], [], "threads")
        await client.finish()


async def check_codex_ids(connect: Connect) -> None:
    """Texts and integers come back in their type, also twice at once; what has another id is no request."""
    async with connect(NO_HELPER) as client:
        await client.initialize()
        for id in ("text", 7, -7, 0, "0", 9007199254740993):
            expect((await client.request(LOADED, {}, id=id))["id"], id, "id of the reply")
        for strange_id in (None, 1.5, True):
            await client.send({"method": LOADED, "id": strange_id, "params": {}})
        await client.ask(LOADED, {}, id="same")
        await client.ask(LOADED, {}, id="same")
        await client.frame(lambda frame: len(client.replies("same")) == 2, "second reply to the id that was used twice")
        strange = [frame for frame in client.frames if "method" not in frame and not isinstance(frame["id"], str | int)]
        expect(strange, [], "replies with an id of another type")
        await client.finish()


async def check_codex_lines_without_answer(connect: Connect) -> None:
    """Junk, blank lines, arrays, notifications and answers that nobody asked for are ignored; CRLF and a header are
    not in the way of the message."""
    async with connect(NO_HELPER) as client:
        await client.initialize()
        for data in (
            b"\n", b"hello\n", b"[]\n", b"{\n", b"3\n",
            b'[{"id":"in array","method":"thread/loaded/list","params":{}}]\n',
            b'"text"\n', b'{"method":"foo/bar","params":{}}\n', b'{"id":"zzz","result":{}}\n', b'{"id":4242}\n',
            b'{"id":4242,"error":{"code":1,"message":"x"}}\n', b'{"method":"thread/loaded/list","params":{}}\n',
        ):  # fmt: skip
            await client.send_bytes(data)
        before = len(client.frames)
        await client.send_bytes(b'{"id":"crlf","method":"thread/loaded/list","params":{}}\r\n')
        await client.reply("crlf")
        await client.send_bytes(b'Content-Length: 55\r\n\r\n{"id":"lsp","method":"thread/loaded/list","params":{}}\n')
        await client.reply("lsp")
        await client.send_bytes(b'{"jsonrpc":"2.0","id":"versioned","method":"thread/loaded/list","params":{}}\n')
        await client.reply("versioned")
        late = [frame for frame in client.frames[before:] if frame.get("id") not in ("crlf", "lsp", "versioned")]
        expect(_told(late), [], "frames for what is no request")
        expect(await client.finish(), 0, "exit status")
        assert b"Failed to deserialize JSONRPCMessage" in client.errors, client.errors


def _told(frames: list[Any]) -> list[Any]:
    return [frame for frame in frames if frame.get("method") != "remoteControl/status/changed"]


async def check_codex_unterminated_last_line(connect: Connect) -> None:
    """A last line without its newline is answered or not, as the end of stdin leaves it time; the exit is the same."""
    async with connect(NO_HELPER) as client:
        await client.initialize()
        await client.send_bytes(b'{"id":"last","method":"thread/loaded/list","params":{}}')
        expect(await client.finish(), 0, "exit status")
        assert len(client.replies("last")) <= 1, client.frames


async def check_codex_bad_utf8_ends_it(connect: Connect) -> None:
    """Bytes that are not UTF-8 end the process with 0."""
    async with connect(NO_HELPER) as client:
        await client.initialize()
        await client.send_bytes(b'{"id":"u\xff","method":"thread/loaded/list","params":{}}\n')
        expect(await client.wait(), 0, "exit status")
        assert b"stream did not contain valid UTF-8" in client.errors, client.errors


async def check_codex_pipelining(connect: Connect) -> None:
    """Several frames in one write are taken in their order."""
    async with connect(NO_HELPER) as client:
        await client.send_bytes(
            b'{"method":"initialize","id":1,"params":{"clientInfo":{"name":"p","version":"1"}}}\n'
            b'{"method":"initialized"}\n{"method":"thread/start","id":2,"params":{"ephemeral":true}}\n'
        )
        await client.reply(2)
        order = [frame["id"] for frame in client.frames if "method" not in frame]
        expect(order, [1, 2], "order of the replies")
        await client.finish()


BAD_PARAMS: tuple[tuple[str, Any, str], ...] = (
    ("thread/start", {"sandbox": "full-access"},
     "unknown variant `full-access`, expected one of `read-only`, `workspace-write`, `danger-full-access`"),
    ("thread/start", {"approvalPolicy": "on-failure"},
     "unknown variant `on-failure`, expected one of `untrusted`, `on-request`, `granular`, `never`"),
    ("thread/start", {"ephemeral": "yes"}, 'invalid type: string "yes", expected a boolean'),
    ("thread/start", {"serviceName": 5}, "invalid type: integer `5`, expected a string"),
    ("thread/start", {"cwd": 3}, "invalid type: integer `3`, expected a string"),
    ("mcpServer/tool/call", {"threadId": "x"}, "missing field `server`"),
    ("mcpServer/tool/call", {"threadId": 5}, "invalid type: integer `5`, expected a string"),
    ("mcpServer/tool/call", {"threadId": "x", "server": None}, "invalid type: null, expected a string"),
    ("mcpServerStatus/list", {"detail": "bogus"},
     "unknown variant `bogus`, expected `full` or `toolsAndAuthOnly`"),
    (LOADED, {"limit": 1.5}, "invalid type: floating point `1.5`, expected u32"),
    ("initialize", {}, "missing field `clientInfo`"),
    ("initialize", {"clientInfo": {"name": "a"}}, "missing field `version`"),
    ("initialize", {"clientInfo": {"name": "a", "version": "1"},
                    "capabilities": {"mcpServerOpenaiFormElicitation": "yes"}},
     'invalid type: string "yes", expected a boolean'),
)  # fmt: skip


async def check_codex_bad_params(connect: Connect) -> None:
    """A request with bad params is refused with -32600 and the reader's words; unknown members are ignored."""
    async with connect(NO_HELPER) as client:
        await client.initialize()
        for method, params, message in BAD_PARAMS:
            _refused(await client.request(method, params), -32600, f"Invalid request: {message}")
        count = 27 if client.version == "0.171.0" else 25
        message = f"invalid length 0, expected struct ThreadStartParams with {count} elements"
        _refused(await client.request("thread/start", []), -32600, f"Invalid request: {message}")
        for method in (LOADED, "thread/start", "initialize"):
            _refused(await client.request(method), -32600, "Invalid request: missing field `params`")
        expect((await client.request(LOADED, {"unknown": 1}))["result"]["data"], [], "result in spite of a member")
        await client.finish()


async def check_codex_unknown_method(connect: Connect) -> None:
    """-32600, not -32601, with all known methods in the text. An error reply is error and id, in this order."""
    async with connect(NO_HELPER) as client:
        await client.initialize()
        reply = await client.request("mcpServer/nope", {})
        expect(list(reply), ["error", "id"], "order of the members of an error reply")
        expect(reply["error"]["code"], -32600, "code")
        assert reply["error"]["message"].startswith(
            "Invalid request: unknown variant `mcpServer/nope`, expected one of `initialize`, "
        ), reply
        assert "`mcpServer/tool/call`" in reply["error"]["message"], reply
        await client.finish()


async def check_codex_experimental_members(connect: Connect) -> None:
    """Experimental members are refused without the capability, and taken with it."""
    granular = {"sandbox_approval": True, "rules": True, "mcp_elicitations": False}
    gated: dict[str, dict[str, Any]] = {
        "thread/start.dynamicTools": {"dynamicTools": []},
        "askForApproval.granular": {"approvalPolicy": {"granular": granular}},
    }
    async with connect(NO_HELPER) as client:
        await client.initialize()
        for name, params in gated.items():
            reply = await client.request("thread/start", {"ephemeral": True, **params})
            _refused(reply, -32600, f"{name} requires experimentalApi capability")
        await client.finish()
    async with connect(NO_HELPER) as client:
        await client.initialize({"experimentalApi": True})
        for params in gated.values():
            reply = await client.request("thread/start", {"ephemeral": True, **params})
            assert "result" in reply, reply
        await client.finish()


async def check_codex_text_is_sent_raw(connect: Connect) -> None:
    """Text that is not ASCII is not escaped, the separators that other readers take for line ends included."""
    async with connect() as client:
        await client.start()
        await client.ready()
        reply = await client.call("get_app_state", {"app": "uni"})
        line = next(line for line in client.raw if b"lone?" in line)
        assert "\u2028\u0085 \U0001f600".encode() in line, line
        assert "\u2028" in reply["result"]["content"][0]["text"], reply
        await client.finish()


async def check_codex_opt_out(connect: Connect) -> None:
    """A client gets no notification that it opted out of."""
    async with connect(NO_HELPER) as client:
        unwanted = ["remoteControl/status/changed", "thread/started"]
        await client.start({"optOutNotificationMethods": unwanted})
        await client.request(LOADED, {})
        await client.finish()
        expect([frame["method"] for frame in client.frames if frame.get("method") in unwanted], [], "unwanted frames")


def _refused(reply: Any, code: int, message: str) -> None:
    expect(reply.get("error"), {"code": code, "message": message}, "error of the reply")


async def refused(client: Client, method: str, params: Any, code: int, message: str) -> None:
    """A request that is refused with exactly this error."""
    _refused(await client.request(method, params), code, message)
