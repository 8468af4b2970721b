"""Keys of the lists of a form: none for two things, and all of the sequence that adds."""

from collections import Counter

import pytest

from packs.formats import FORMATS, adapter_of
from packs.forms.building import Request, build
from packs.forms.fields import Widget
from packs.forms.shortcuts import with_shortcuts
from studio.keys import SEQUENCES

FORMS = [(name, kind) for name in FORMATS for kind in adapter_of(name).SCHEMA]


def keyed(name, kind):
    root = with_shortcuts(build(adapter_of(name).SCHEMA[kind], {}, Request()))
    return {field.pointer: field.shortcut for field in root.walk() if field.shortcut}


def test_inputs_expectations_and_checks_are_added_by_their_first_letter():
    assert keyed("challenge_pack", "case")["/inputs"] == "a i"
    assert keyed("challenge_pack", "case")["/expectations"] == "a e"
    assert {keyed("agentv", "case")["/assertions"], keyed("task_suite", "case")["/graders"]} == {"a c"}
    assert keyed("benchmark_pack", "case")[""] == "a c"


@pytest.mark.parametrize(("name", "kind"), FORMS)
def test_every_list_at_the_top_of_a_form_has_keys_of_its_own(name, kind):
    found = keyed(name, kind)
    root = with_shortcuts(build(adapter_of(name).SCHEMA[kind], {}, Request()))
    lists = {field.pointer for field in (*root.fields, *root.more) if field.widget is Widget.ITEMS}
    assert lists <= set(found)
    assert [keys for keys, count in Counter(found.values()).items() if count > 1] == []
    assert {keys.split()[0] for keys in found.values()} <= set(SEQUENCES)
