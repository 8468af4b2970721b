"""Secrets are found in every spelling."""

import json
import re
from urllib.parse import quote, quote_plus

import pytest

from runs.replay.redaction import MARK, Redactor, can_be_hidden

SECRET = 'sk/"planted"\\ é\n&4711 😀x'
SPELLINGS = {
    "plain": SECRET,
    "JSON": json.dumps(SECRET),
    "JSON with its letters": json.dumps(SECRET, ensure_ascii=False),
    "JSON in JSON": json.dumps({"a": json.dumps({"b": SECRET})}),
    "three times": json.dumps(json.dumps(json.dumps(SECRET, ensure_ascii=False))),
    "an address": quote(SECRET, safe=""),
    "a form": quote_plus(SECRET),
    "small letters": quote(SECRET).lower(),
    "JSON with capitals": re.sub(r"\\u\w{4}", lambda found: "\\u" + found[0][2:].upper(), json.dumps(SECRET)),
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_a_secret_is_cut_out_however_it_is_spelt(spelling):
    told = Redactor([SECRET]).text(f"before {spelling} after")
    assert "planted" not in told
    assert "4711" not in told
    assert MARK in told
    assert told.startswith("before ")
    assert told.endswith(" after")


def test_signs_alone_can_be_a_secret():
    assert Redactor(["+/+/+/=="]).text("a +/+/+/== b") == f"a {MARK} b"


def test_what_only_resembles_a_secret_stays():
    assert Redactor(["hush.4711"]).text("hush-4711 hush.471") == "hush-4711 hush.471"


def test_values_are_cleared_to_the_bottom_and_the_rest_stays():
    value = {"a": [1, None, {"b": f"x{SECRET}"}], SECRET: 2.5, "c": True}
    assert Redactor([SECRET]).value(value) == {"a": [1, None, {"b": f"x{MARK}"}], MARK: 2.5, "c": True}


def test_a_secret_within_another_one_leaves_nothing_of_the_longer():
    assert Redactor(["hush-4711", "hush-4711-long"]).text("hush-4711-long") == MARK


@pytest.mark.parametrize(
    ("secret", "is_hidden"),
    [
        *((text, False) for text in ("", "x", "I", "none", "EMPTY", "ollama", "lm-studio", "no key needed", "hunter2")),
        *((text, False) for text in ("password", "Überraschung", "sk-no-key-required", "2026-11-22", "12345678")),
        *((text, True) for text in ("hush-4711", "sk-planted-4711", "correct horse battery staple", "a1b2c3d4")),
        *((text, True) for text in ("5f3a9c21e8", "4111111111111111", "qwertzuiopasdfghjklyx", "+/+/+/==")),
    ],
)
def test_only_what_can_be_no_word_is_cut_out(secret, is_hidden):
    assert can_be_hidden(secret) is is_hidden
    text = f"It is {secret}."
    assert Redactor([secret]).text(text) == (f"It is {MARK}." if is_hidden else text)


def test_a_redactor_does_not_show_what_it_knows():
    assert "planted" not in repr(Redactor([SECRET]))
