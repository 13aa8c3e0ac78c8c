"""The frames of a model turn against a provider that can't be reached, as each version sends them (tape s17_turn).

A zero-turn client never asks for them; they are here because a client must not let one pass unseen.
"""

from __future__ import annotations

from fakes.fronts.codex_thread import EPOCH_S

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.fronts.codex_profiles import Profile
    from harness.wire.jsontext import Json


def turn_frames(profile: Profile, thread: str, turn: str, item: str, model: str) -> list[tuple[str, Json]]:
    """(method, params) in their order; the one without a method is the result of turn/start."""
    newer = profile.extensions
    about: dict[str, Json] = {
        "id": turn,
        **({"rootTurnId": turn} if newer else {}),
        "items": [],
        "itemsView": "notLoaded",
        "status": "inProgress",
        "error": None,
        "startedAt": None,
        "completedAt": None,
        "durationMs": None,
    }
    message: dict[str, Json] = {
        "type": "userMessage",
        "id": item,
        "clientId": None,
        "content": [{"type": "text", "text": "hi", "text_elements": []}],
    }
    begun: dict[str, Json] = {**message, "startedAtMs": EPOCH_S * 1000, "completedAtMs": None} if newer else message
    whole: dict[str, Json] = {**begun, "completedAtMs": EPOCH_S * 1000} if newer else message
    place: dict[str, Json] = {"threadId": thread, "turnId": turn}
    counted: dict[str, Json] = {"contentTokenCount": None} if newer else {}
    unknown = f"Model metadata for `{model}` not found. Defaulting to fallback metadata; this can degrade performance "
    warning: tuple[str, Json] = ("warning", {"threadId": thread, "message": f"{unknown}and cause issues."})
    answer: tuple[str, Json] = ("", {"turn": about})
    frames: list[tuple[str, Json]] = [
        *((warning, answer) if newer else (answer, warning)),
        ("thread/status/changed", {"threadId": thread, "status": {"type": "active", "activeFlags": []}}),
        ("turn/started", {"threadId": thread, "turn": {**about, "startedAt": EPOCH_S}}),
        ("item/started", {"item": begun, **place, "startedAtMs": EPOCH_S * 1000}),
        ("item/completed", {"item": whole, **place, **counted, "completedAtMs": EPOCH_S * 1000}),
    ]
    if newer:
        retry: Json = {
            "message": "Reconnecting... waiting for network",
            "codexErrorInfo": {"responseStreamDisconnected": {"httpStatusCode": None}},
            "additionalDetails": "Connection failed: error sending request",
            "misalignment": None,
        }
        return [*frames, ("error", {"error": retry, "willRetry": True, **place})]
    error: Json = {
        "message": "stream disconnected before completion: error sending request for url (http://127.0.0.1:9/v1/responses)",
        "codexErrorInfo": "other",
        "additionalDetails": None,
    }
    ended = {
        **about,
        "status": "failed",
        "error": error,
        "startedAt": EPOCH_S,
        "completedAt": EPOCH_S,
        "durationMs": 29,
    }
    return [
        *frames,
        ("thread/status/changed", {"threadId": thread, "status": {"type": "systemError"}}),
        ("error", {"error": error, "willRetry": False, **place}),
        ("turn/completed", {"threadId": thread, "turn": ended}),
    ]
