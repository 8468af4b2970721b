"""One table of keys: a key that a page has means what the table says, and every entry of the table is in use."""

import re
from pathlib import Path

from django.conf import settings

from studio.keys import MEANINGS, PAGES
from studio.rooms import RAIL, STAFF_RAIL
from studio.templatetags.parts import keys

TEMPLATES = [path.read_text() for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html")]
# Sequences lead to rooms and ends of lists, j and k through lists; some keys come from what a form adds.
ELSEWHERE = re.compile(r"^(g .|[jkG]|\{\{.*)$")


def pressed():
    """The keys that elements of templates have."""
    found = {key for text in TEMPLATES for key in re.findall(r'(?:data-key|\bkey)="([^"]+)"', text)}
    return {key for key in found if not ELSEWHERE.match(key) and len(key) == 1}


def answered():
    """The single keys that scripts answer."""
    return {key for entries in PAGES.values() for key, _ in entries if len(key) == 1 and key.isalpha()}


def test_every_key_of_a_page_has_one_meaning_and_no_meaning_is_left_over():
    assert pressed() | answered() == set(MEANINGS)


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
    assert "<dt><kbd>0</kbd> to <kbd>4</kbd></dt><dd>Score" in shown
    assert shown.count("<dt>") == 2
