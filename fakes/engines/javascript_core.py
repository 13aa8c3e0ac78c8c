"""JavaScriptCore by its C interface: WebKitGTK's library on Linux, the system's own framework on a Mac.

Texts of errors are those of Safari and of the real osascript. The functions used here are of the public C interface
(JSBase.h, JSContextRef.h, JSObjectRef.h, JSStringRef.h, JSValueRef.h), which has not changed for a decade.
"""

from __future__ import annotations

import _signal
import ctypes

from fakes.engines.javascript import SEAM, EngineMissing, ScriptProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fakes.engines.javascript import Seam

LIBRARIES = (
    "libjavascriptcoregtk-4.1.so.0",
    "libjavascriptcoregtk-6.0.so.1",
    "/System/Library/Frameworks/JavaScriptCore.framework/JavaScriptCore",
)
_P = ctypes.c_void_p
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "JSGlobalContextCreate": (_P, [_P]),
    "JSContextGetGlobalObject": (_P, [_P]),
    "JSStringCreateWithCharacters": (_P, [ctypes.c_char_p, ctypes.c_size_t]),
    "JSStringRelease": (None, [_P]),
    "JSStringGetLength": (ctypes.c_size_t, [_P]),
    "JSStringGetCharactersPtr": (_P, [_P]),
    "JSEvaluateScript": (_P, [_P, _P, _P, _P, ctypes.c_int, _P]),
    "JSValueToStringCopy": (_P, [_P, _P, _P]),
    "JSValueMakeString": (_P, [_P, _P]),
    "JSObjectMakeFunctionWithCallback": (_P, [_P, _P, _P]),
    "JSObjectSetProperty": (None, [_P, _P, _P, _P, ctypes.c_uint, _P]),
}
_CALLBACK = ctypes.CFUNCTYPE(_P, _P, _P, _P, ctypes.c_size_t, ctypes.POINTER(_P), _P)


def library() -> Any:
    """The first of `LIBRARIES` that is here, its functions declared. Raises EngineMissing."""
    for name in LIBRARIES:
        try:
            found = ctypes.CDLL(name)
        except OSError:
            continue
        for function, (result, arguments) in _SIGNATURES.items():
            made = getattr(found, function)
            made.restype = result
            made.argtypes = arguments
        return found
    raise EngineMissing(
        f"none of {', '.join(LIBRARIES)}", "JavaScriptCore as a library", "install libjavascriptcoregtk-4.1-0"
    )


class JavaScriptCore:
    """See `fakes.engines.javascript.Engine`."""

    name = "jsc"

    def __init__(self, seam: Seam) -> None:
        # It stops its threads by a signal, and complains on stderr where somebody else handles that one.
        _signal.signal(_signal.SIGUSR1, _signal.SIG_DFL)
        self._library = library()
        self._context = self._library.JSGlobalContextCreate(None)
        self._seam = seam
        self._callback = _CALLBACK(self._called)  # kept: the engine holds no reference to it
        name = self._string(SEAM)
        function = self._library.JSObjectMakeFunctionWithCallback(
            self._context, name, ctypes.cast(self._callback, _P)
        )
        home = self._library.JSContextGetGlobalObject(self._context)
        self._library.JSObjectSetProperty(self._context, home, name, function, 0, None)
        self._library.JSStringRelease(name)

    def evaluate(self, source: str) -> str:
        text = self._string(source)
        thrown = _P()
        value = self._library.JSEvaluateScript(self._context, text, None, None, 1, ctypes.byref(thrown))
        self._library.JSStringRelease(text)
        if thrown.value:
            raise ScriptProblem(self._text(self._context, thrown.value))
        return self._text(self._context, value)

    def _called(self, context: int, function: int, this: int, count: int, given: Any, thrown: int) -> int:
        answer = self._string(self._seam(self._text(context, given[0]), self._text(context, given[1])))
        value = self._library.JSValueMakeString(context, answer)
        self._library.JSStringRelease(answer)
        return int(value)

    def _string(self, text: str) -> Any:
        data = text.encode("utf-16-le", "surrogatepass")
        return self._library.JSStringCreateWithCharacters(data, len(data) // 2)

    def _text(self, context: int, value: int) -> str:
        functions = self._library
        string = functions.JSValueToStringCopy(context, value, None)
        if not string:  # a value whose own toString throws
            return ""
        size = 2 * functions.JSStringGetLength(string)
        data = ctypes.string_at(functions.JSStringGetCharactersPtr(string), size) if size else b""
        functions.JSStringRelease(string)
        return data.decode("utf-16-le", "surrogatepass")
