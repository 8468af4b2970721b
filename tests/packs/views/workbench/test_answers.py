from packs.editing import ABSENT
from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.document import NodeKind
from packs.forms.sections import whole
from packs.forms.state import State
from packs.views.workbench.answers import place_name, shown

CASE = SCHEMA[NodeKind.CASE]


def test_a_place_is_named_in_the_words_of_the_form():
    state = State(CASE, {"inputs": [{"key": "a"}], "payload": {"a/b": 1}}, whole(CASE))
    assert place_name(state, "/inputs/0/value") == "Inputs › 1 › Value"
    assert place_name(state, "/payload/a~1b") == "Payload › a/b"
    assert place_name(state, "")


def test_values_are_shown_for_people_to_compare():
    assert shown("a\nb") == "a\nb"
    assert shown({"a": [1]}) == '{\n  "a": [\n    1\n  ]\n}'
    assert shown(ABSENT) != shown(None)
