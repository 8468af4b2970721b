"""One table of keys: a key that a page has means what the table says, and every entry of the table is in use."""

import re
from pathlib import Path

from django.conf import settings

from studio.keys import MEANINGS, PAGES, SEQUENCES
from studio.rooms import RAIL, STAFF_RAIL
from studio.templatetags.parts import keys

TEMPLATES = [path.read_text() for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html")]
# j, k and G move through lists; keys of rooms and of forms are made in Python.
ELSEWHERE = re.compile(r"^([jkG]|\{\{.*)$")


def stated():
    """The keys and sequences that elements of templates have."""
    found = {key for text in TEMPLATES for key in re.findall(r'data-key="([^"]+)"|{% \w[^%]* key="([^"]+)"', text)}
    return {key for pair in found for key in pair if key and not ELSEWHERE.match(key)}


def pressed():
    return {key for key in stated() if len(key) == 1}


def answered():
    """The single keys that scripts answer."""
    return {key for entries in PAGES.values() for key, _ in entries if len(key) == 1 and key.isalpha()}


def test_every_key_of_a_page_has_one_meaning_and_no_meaning_is_left_over():
    assert pressed() | answered() == set(MEANINGS)


def test_no_single_key_begins_a_sequence_and_every_sequence_begins_as_the_table_says():
    sequences = {key for key in stated() if len(key) > 1} | {room.key for room in (*RAIL, *STAFF_RAIL)}
    assert {key.split()[0] for key in sequences} <= set(SEQUENCES)
    assert not set(SEQUENCES) & set(MEANINGS)


def test_what_else_says_a_key_is_made_in_python_and_tested_there():
    said = {value for text in TEMPLATES for value in re.findall(r'data-key="(\{\{[^"]+)"', text)}
    assert said == {"{{ entry.room.key }}", "{{ field.shortcut }}"}


def test_every_list_of_keys_is_on_a_page_and_templates_name_no_keys_of_their_own():
    named = {name for text in TEMPLATES for name in re.findall(r'{% keys "(\w+)" %}', text)}
    assert named == set(PAGES)
    assert [text[:60] for text in TEMPLATES if "{% key " in text] == []


def test_the_list_names_every_room_that_everybody_can_go_to():
    letters = {room.key.removeprefix("g ") for room in RAIL} | {"h"}
    line = next(keys for keys, does in PAGES["everywhere"] if does.startswith("Go to"))
    assert set(line.removeprefix("g then ").split()) == letters
    assert not letters & {room.key.removeprefix("g ") for room in STAFF_RAIL}


def test_a_list_of_keys_shows_them_one_by_one():
    shown = keys("review")
    assert "<dt><kbd>0</kbd> to <kbd>9</kbd></dt><dd>Score" in shown
    assert shown.count("<dt>") == 4
