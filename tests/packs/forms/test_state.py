from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.document import NodeKind
from packs.forms.building import Request
from packs.forms.sections import section_for, sections_of, whole
from packs.forms.state import State
from tests.packs.forms.pages import draw, submitted

SCHEMA_OF_PACK = SCHEMA[NodeKind.PACK]


def state(document, pointer):
    return State(SCHEMA_OF_PACK, document, section_for(sections_of(SCHEMA_OF_PACK), pointer))


def test_a_section_leaves_what_other_sections_edit_as_it_is():
    document = {"version": {"number": 1, "sandbox": {"network_access": True}}, "pack": {"slug": "s"}}
    after = state(document, "/version").read([("o:/version", ""), ("n:/version/number", "2")])
    assert after.document == {"version": {"number": 2, "sandbox": {"network_access": True}}, "pack": {"slug": "s"}}


def test_an_unreadable_text_leaves_the_stored_value():
    case = State(SCHEMA[NodeKind.CASE], {"payload": {"a": 1}}, whole(SCHEMA[NodeKind.CASE]))
    answer = case.read([("o:", ""), ("o:/payload", ""), ("j:/payload/a", "{")])
    assert answer.document == {"payload": {"a": 1}}
    assert not answer.is_complete


def test_a_part_of_a_form_changes_only_its_own_value():
    case = State(SCHEMA[NodeKind.CASE], {"case_key": "a", "inputs": [{"key": "x"}]}, whole(SCHEMA[NodeKind.CASE]))
    assert case.read([("t:/inputs/0/key", "y")], "/inputs/0/key").document == {
        "case_key": "a",
        "inputs": [{"key": "y"}],
    }


def test_a_section_below_something_that_is_no_object_cannot_be_written():
    document = {"version": "broken"}
    pairs = [("o?:/version/sandbox", ""), ("t?:/version/sandbox/sandbox_template_id", "x")]
    assert state(document, "/version/sandbox").read(pairs).document == document


def test_a_value_that_the_user_wants_as_json_is_drawn_so():
    case = State(SCHEMA[NodeKind.CASE], {"payload": {"a": {"b": 1}}}, whole(SCHEMA[NodeKind.CASE]))
    pairs = [*submitted(draw(case.field(Request()))), ("k:/payload/a", "json")]
    answer = case.read(pairs)
    assert answer.as_json >= {"/payload/a"}
    assert answer.document == case.document
