"""Pseudonyms: length, type and equality stay, the secret does not."""
from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from harness.tape.disguise import MARK, ROOM, Disguise
from harness.wire.jsontext import loads

DISGUISE = Disguise(b"a key")
NUMBERS = st.one_of(
    st.integers().map(str), st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(["0", "-0", "0.00", "1E+5", "-12.5e-10", "9" * 30]),
)


@given(st.binary(min_size=1, max_size=200))
def test_text_is_as_long_and_says_nothing(secret: bytes) -> None:
    made = DISGUISE.text(secret, 0, len(secret), len(secret))
    assert len(made) == len(secret)
    assert made.isalnum()
    assert made.isascii()
    assert made != secret
    assert made.startswith(MARK) == (len(secret) >= ROOM) or len(secret) < ROOM


def test_no_secret_stands_for_itself() -> None:
    """Among all secrets of one letter some would, if nothing looked."""
    letters = [bytes((letter,)) for letter in b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    for key in range(20):
        disguise = Disguise(bytes((key,)))
        assert [disguise.text(letter, 0, 1, 1) for letter in letters if disguise.text(letter, 0, 1, 1) == letter] == []
        assert [digit for digit in letters[1:10] if disguise.number(digit) == digit] == []


@given(st.binary(min_size=1, max_size=200), st.integers(0, 200), st.integers(0, 200))
def test_any_part_is_a_part_of_the_whole(secret: bytes, one: int, other: int) -> None:
    start, stop = sorted((min(one, len(secret)), min(other, len(secret))))
    whole = DISGUISE.text(secret, 0, len(secret), len(secret))
    assert DISGUISE.text(secret, start, stop, len(secret)) == whole[start:stop]


@given(st.binary(min_size=12, max_size=40), st.binary(min_size=12, max_size=40))
def test_equal_secrets_stay_equal_and_others_differ(one: bytes, other: bytes) -> None:
    assume(one != other)
    assert DISGUISE.text(one, 0, 12, 12) == DISGUISE.text(one, 0, 12, 12)
    assert DISGUISE.text(one, 0, 12, 12) != DISGUISE.text(other, 0, 12, 12)


def test_the_key_decides() -> None:
    assert Disguise(b"a key").text(b"secret word", 0, 11, 11) == DISGUISE.text(b"secret word", 0, 11, 11)
    assert Disguise(b"b").text(b"secret word", 0, 11, 11) != DISGUISE.text(b"secret word", 0, 11, 11)
    assert Disguise(b"k" * 1000).text(b"secret word", 0, 11, 11)


@given(NUMBERS)
def test_a_number_stays_a_number_of_its_form(text: str) -> None:
    made = DISGUISE.number(text.encode()).decode()
    assert len(made) == len(text)
    assert type(loads(made)) is type(loads(text))
    assert [letter if letter in "+-.eE" else "" for letter in made] == [
        letter if letter in "+-.eE" else "" for letter in text
    ]
    assert made != text or "e" in text.lower() or text.strip("-") == "0"
