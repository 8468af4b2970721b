"""Secrets stay out of what a trial leaves behind."""

import json
from urllib.parse import quote

import pytest

from runs.engine.redaction import MARK, Redactor

SECRET = 'sk/"planted" é&4711'


@pytest.mark.parametrize(
    "spelling", [SECRET, json.dumps(SECRET), json.dumps(SECRET, ensure_ascii=False), quote(SECRET)]
)
def test_a_secret_is_cut_out_however_it_is_spelt(spelling):
    told = Redactor([SECRET]).text(f"before {spelling} after")
    assert "planted" not in told
    assert told.startswith("before ")
    assert told.endswith(" after")


def test_values_are_cleared_to_the_bottom_and_the_rest_stays():
    value = {"a": [1, None, {"b": f"x{SECRET}"}], SECRET: 2.5, "c": True}
    assert Redactor([SECRET]).value(value) == {"a": [1, None, {"b": f"x{MARK}"}], MARK: 2.5, "c": True}


def test_a_secret_within_another_one_leaves_nothing_of_the_longer():
    assert Redactor(["hush-4711", "hush-4711-long"]).text("hush-4711-long") == MARK


def test_what_is_too_short_to_be_a_secret_is_left():
    assert Redactor(["a", "", "ab"]).text("abba") == "abba"


def test_a_redactor_does_not_show_what_it_knows():
    assert "planted" not in repr(Redactor([SECRET]))
