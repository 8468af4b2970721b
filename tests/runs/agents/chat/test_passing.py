import pytest

from runs.agents.chat.passing import Passing

KEY = "sk-4711-secret"


@pytest.mark.parametrize("size", [1, 2, 5, 13, 100])
@pytest.mark.parametrize("text", [f"{KEY}", f"The key {KEY} and {KEY}{KEY} again.", "Nothing here.", f"sk-4711-{KEY}"])
def test_a_secret_never_goes_out_however_the_text_is_cut(text, size):
    passing = Passing(lambda known: known.replace(KEY, "[key]"), len(KEY))
    told = [passing.take(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join([*told, passing.rest()]) == text.replace(KEY, "[key]")
    assert passing.rest() == ""


def test_without_secrets_nothing_is_held_back():
    assert Passing(str, 0).take("At once.") == "At once."


def test_what_is_held_back_is_no_longer_than_a_secret():
    passing = Passing(lambda known: known.replace(KEY, "[key]"), len(KEY))
    assert passing.take("x" * 100) == "x" * (100 - len(KEY))
