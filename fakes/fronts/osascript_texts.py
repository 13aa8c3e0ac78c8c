"""What osascript says of errors: the text of each number, and the line on standard error. Data and two functions.

Numbers never change; texts do, with the user's language and the version, and Safari writes a typographic apostrophe.
So a driver that looks for words fails on two of the three styles. Source: trailcam facts: JXA, section 1.2 (numbers and
English texts are of several unrelated logs; the German ones are our own words).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

STYLES = ("straight", "typographic", "german")
SETTINGS_TEXT = (
    "You must enable 'Allow JavaScript from Apple Events' in the Developer section of Safari Settings to use "
    "'do JavaScript'."
)
TEXTS: dict[int, tuple[str, str]] = {
    8: (SETTINGS_TEXT, "„JavaScript von Apple-Events erlauben“ ist in den Einstellungen von Safari nicht aktiviert."),
    -128: ("User canceled.", "Vom Benutzer abgebrochen."),
    -600: ("Application isn't running.", "Das Programm ist nicht geöffnet."),
    -609: ("Connection is invalid.", "Die Verbindung ist ungültig."),
    -1700: ("Can't convert types.", "Der Typ kann nicht umgewandelt werden."),
    -1708: ("Message not understood.", "Die Nachricht wurde nicht verstanden."),
    -1712: ("AppleEvent timed out.", "Zeitüberschreitung beim Apple-Event."),
    -1719: ("Invalid index.", "Der Index ist ungültig."),
    -1728: ("Can't get object.", "Das Objekt kann nicht gelesen werden."),
    -1743: ("Not authorized to send Apple events to Safari.", "Keine Berechtigung für Apple-Events an Safari."),
    -1744: ("The user has not been asked for consent.", "Die Zustimmung wurde noch nicht erfragt."),
    -2700: ("Application can't be found.", "Das Programm wurde nicht gefunden."),
    -10000: ("AppleEvent handler failed.", "Das Apple-Event ist fehlgeschlagen."),
    -10006: ("Can't set object.", "Das Objekt kann nicht gesetzt werden."),
}
"""Number -> (English, German)."""


def message(number: int, style: str, about: str | None = None) -> str:
    """The text of a number. about: the object that could not be got, which the typographic style names."""
    english, german = TEXTS.get(number, ("An error occurred.", "Ein Fehler ist aufgetreten."))
    if style == "german":
        return german
    if style == "straight":
        return english
    if about and number == -1728:
        english = f"Can't get {about}."
    elif about and number == -1719:
        english = f"Can't get {about}. Invalid index."
    return english.replace("'", "’")


def complaint(facts: Mapping[str, Any], file: str | None, script: str, *, positions: bool) -> str:
    """The line for an error that the script did not catch. facts: of the prelude (name, message, number, line, syntax).

    positions: with offsets and a line, as some versions write it; else in the shorter form of the others.
    """
    kind = "syntax error" if facts["syntax"] else "execution error"
    name = f"{facts['name']}: " if facts["name"] else ""
    text = f"{name}{facts['message']} ({facts['number']})"
    place = ""
    if positions and facts["line"]:
        lines = script.split("\n")
        begin = sum(len(line) + 1 for line in lines[: facts["line"] - 1])
        place = f"{begin}:{begin + len(lines[facts['line'] - 1])}: "
        text = f"Error on line {facts['line']}: {text}"
    elif facts["name"]:
        text = f"Error: {text}"
    return f"{f'{file}: ' if file is not None else ''}{place}{kind}: {text}\n"
