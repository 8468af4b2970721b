from packs.formats import task_suite
from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.document import NodeKind
from packs.forms.sections import count_leaves, first_section, parts_of, section_for, sections_of, whole

PACK = sections_of(SCHEMA[NodeKind.PACK])


def pointers(schema, at=""):
    yield at
    for name, part in schema.get("properties", {}).items():
        yield from pointers(part, f"{at}/{name}")


def test_every_value_of_the_pack_is_edited_in_exactly_one_section():
    for pointer in pointers(SCHEMA[NodeKind.PACK]):
        assert len([section for section in PACK if section.holds(pointer)]) == 1, pointer


def test_unknown_keys_have_a_section_too():
    assert section_for(PACK, "/something/else").key == "other"
    assert section_for(PACK, "/version/something").key == "version"


def test_the_evaluation_spec_is_cut_so_that_forms_stay_short():
    keys = {section.key for section in PACK}
    assert {"version.evaluation_spec.validators", "version.evaluation_spec.scorecard", "pack", "security"} <= keys


def test_editing_begins_where_there_are_fields_and_a_group_leads_to_its_parts():
    suites = sections_of(task_suite.SCHEMA[NodeKind.PACK])
    assert suites[0].is_group
    assert first_section(suites).key == "suites.golden"
    assert [part.key for part in parts_of(suites[0], suites)][:2] == ["suites.golden", "suites.open_ended"]
    assert parts_of(first_section(suites), suites) == []
    # What no part edits is the group's own.
    assert section_for(suites, "/suites/silver").key == "suites"


def test_a_short_document_is_one_section():
    schema = SCHEMA[NodeKind.INPUT_SET]
    assert sections_of(schema) == (whole(schema),)


def test_leaves_are_counted_through_lists_and_unions():
    assert count_leaves({"type": "array", "items": {"properties": {"a": {}, "b": {"oneOf": [{}, {}]}}}}) == 3
