import pytest

from packs.formats.agentv.schema import SCHEMA as AGENTV
from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.document import NodeKind
from packs.formats.findings import Finding, Severity
from packs.formats.task_suite.schema import SCHEMA as TASK_SUITE
from packs.forms.building import Request, build
from packs.forms.choices import Declared
from packs.forms.encoding import Unreadable
from packs.forms.fields import Widget
from packs.forms.sections import section_for, sections_of
from packs.forms.state import State

CASE = SCHEMA[NodeKind.CASE]


def form(document, **request):
    return build(CASE, document, Request(**request))


def error(*path):
    return Finding("x.E001", Severity.ERROR, path, "Wrong.")


@pytest.mark.parametrize(
    ("item", "summary"),
    [
        ({"key": "question", "kind": "text", "value": "Where is\nPX-1?"}, "question · text · Where is PX-1?"),
        ({"key": "size", "kind": "number", "value": 0}, "size · number · 0"),
        ({"key": "hubs", "kind": "json", "value": {"a": 1}}, "hubs · json"),
        ({"kind": "text", "value": "x" * 61}, f"text · {'x' * 60}…"),
        ({"key": "question"}, "question"),
    ],
)
def test_the_head_of_an_item_reads_as_key_kind_and_value(item, summary):
    assert form({"inputs": [item]}).find("/inputs/0").summary == summary


@pytest.mark.parametrize(("kind", "shown"), [("file", 4), ("x-mine", 5), ("", 4)])
def test_a_block_of_a_message_offers_the_known_types_and_keeps_another(kind, shown):
    message = {"role": "user", "content": [{"type": kind, "value": "a.md"}]}
    picker = build(AGENTV[NodeKind.CASE], {"input": [message]}, Request()).find("/input/0/content/0/type")
    assert [option.value for option in picker.options[:4]] == ["", "text", "file", "image"]
    assert (len(picker.options), picker.raw) == (shown, kind)


def test_required_and_present_fields_are_open_and_the_others_wait_below():
    shown = form({"case_timeout_seconds": 3})
    opened, more = {field.key for field in shown.fields}, {field.key for field in shown.more}
    assert {"challenge_key", "case_key", "case_timeout_seconds", "inputs", "expectations", "payload"} <= opened
    assert {"item_key", "user_simulator"} <= more


def test_a_schema_says_which_absent_fields_are_offered_at_once():
    item = form({"inputs": [{"key": "question", "kind": "text"}]}).find("/inputs/0")
    assert [field.key for field in item.fields] == ["key", "kind", "value"]
    assert [field.key for field in item.more] == ["artifact_key", "path"]
    assert "x-provenance" in {field.key for field in form({}).more}


def test_unknown_keys_are_shown_apart_with_their_types():
    extra = form({"notes": [1, "1", True]}).extra
    assert [field.key for field in extra] == ["notes"]
    assert [item.kind for item in extra[0].fields] == ["number", "text", "boolean"]


def test_a_value_of_the_wrong_type_is_shown_as_what_it_is_with_its_finding():
    field = form({"case_key": 7}, findings=[error("case_key")]).find("/case_key")
    assert (field.widget, field.kind, field.raw) == (Widget.NUMBER, "number", "7")
    assert field.has_error


def test_a_picker_offers_what_is_declared_and_keeps_what_is_not():
    field = form({"challenge_key": "gone"}, declared=Declared({"challenges": ("a", "b")})).find("/challenge_key")
    assert field.widget is Widget.CHOICE
    assert [(option.value, option.allowed) for option in field.options] == [
        ("", True),
        ("a", True),
        ("b", True),
        ("gone", False),
    ]


def test_a_picker_without_anything_declared_takes_any_text():
    assert form({}).find("/challenge_key").widget is Widget.LINE


def test_the_source_of_an_expectation_offers_inputs_and_assets():
    document = {"expectations": [{"key": "a", "kind": "text", "source": "input:q"}]}
    field = form(document, declared=Declared({"inputs": ("q",), "assets": ("f",)})).find("/expectations/0/source")
    assert [option.value for option in field.options] == ["", "input:q", "artifact:f"]


def test_a_finding_without_a_field_stays_at_the_closest_one():
    shown = form({"inputs": [{"key": "a"}]}, findings=[error("inputs", 0, "value", "deep", 3), error("gone")])
    assert shown.find("/inputs/0/value").findings
    assert shown.findings


@pytest.mark.parametrize("value", ["a\rb", "\0", {str(index): index for index in range(500)}, [[[[[[[[1]]]]]]]]])
def test_what_fields_cannot_show_is_json_text(value):
    field = form({"payload": {"x": value}}).find("/payload")
    assert Widget.JSON in {part.widget for part in field.walk()}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "array"}, [0] * 200),
        ({"type": "object"}, {str(number): 0 for number in range(200)}),
        ({"type": "array", "items": {"type": "integer"}}, [0] * 3000),
    ],
)
def test_what_is_so_large_that_its_fields_would_make_a_page_slow_is_json_text(schema, value):
    assert build(schema, value, Request()).widget is Widget.JSON
    assert build(schema, type(value)(), Request()).widget is not Widget.JSON


def test_what_other_sections_edit_is_left_out_with_its_findings():
    document = {"inputs": [{"key": "a"}], "inputs_of_ours": {"key": "b"}, "payload": {}}
    findings = [error("inputs"), error("inputs", 0, "value"), error("inputs_of_ours", "key")]
    shown = form(document, findings=findings, without=frozenset({"/inputs", "/payload"}))
    assert [shown.find(pointer) for pointer in ("/inputs", "/payload")] == [None, None]
    assert [finding.path for field in shown.walk() for finding in field.findings] == [("inputs_of_ours", "key")]


def test_text_that_could_not_be_read_stays_on_screen():
    field = form({"payload": {"x": 1}}, unreadable={"/payload/x": Unreadable("{", 1, 2, "broken")}).find("/payload/x")
    assert (field.widget, field.raw) == (Widget.JSON, "{")


def test_the_configuration_of_a_validator_follows_its_type():
    schema, pointer = SCHEMA[NodeKind.PACK], "/version/evaluation_spec/validators"
    section = section_for(sections_of(schema), pointer)
    document = {"version": {"evaluation_spec": {"validators": [{"type": "fuzzy_match", "config": {"threshold": 1}}]}}}
    shown = State(schema, document, section).field(Request())
    assert shown.find(f"{pointer}/0/config/threshold").widget is Widget.NUMBER
    assert shown.find(f"{pointer}/0/type").governs


def test_a_dimension_is_a_name_or_a_full_description():
    schema, pointer = SCHEMA[NodeKind.PACK], "/version/evaluation_spec/scorecard/dimensions"
    section = section_for(sections_of(schema), pointer)
    document = {"version": {"evaluation_spec": {"scorecard": {"dimensions": ["latency", {"key": "x"}]}}}}
    shown = State(schema, document, section).field(Request())
    assert [shown.find(f"{pointer}/{index}").variant for index in (0, 1)] == [0, 1]


def test_booleans_whose_absence_means_something_have_three_answers():
    schema = {"type": "boolean", "x-keep": True}
    assert [option.value for option in build(schema, True, Request()).options] == ["", "true", "false"]
    assert build({"type": "boolean"}, True, Request()).widget is Widget.CHECKBOX


def test_fields_say_whether_they_change_runs_where_the_schema_does():
    shown = build(AGENTV[NodeKind.CASE], {"id": "a", "metadata": {"level": 1}, "input": "Hi"}, Request())
    effects = {field.key: field.effect for field in (*shown.fields, *shown.more)}
    wanted = {"id": "", "metadata": "informational", "input": "operational", "workspace": "operational"}
    assert {key: effects[key] for key in wanted} == wanted


def test_a_field_of_several_shapes_has_its_own_title_and_the_shapes_have_theirs():
    schema = {"title": "Answer", "oneOf": [{"type": "string", "title": "Text"}, {"type": "number", "title": "Number"}]}
    field = build({"type": "object", "properties": {"a": schema}}, {"a": 5}, Request()).find("/a")
    assert (field.title, field.variant, field.variants) == ("Answer", 1, ("Text", "Number"))


def test_only_json_that_may_be_left_out_is_optional():
    parts = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}
    shown = build(parts, {"a": {}, "b": {}}, Request(as_json=frozenset({"/a", "/b"})))
    assert [shown.find(pointer).optional for pointer in ("/a", "/b")] == [False, True]


def test_named_entries_that_other_sections_edit_are_left_out():
    shown = build({"type": "object"}, {"a": 1, "b": 2}, Request(without=frozenset({"/a"})))
    assert [field.key for field in shown.fields] == ["b"]


def assertion(**stated):
    return build(AGENTV[NodeKind.CASE], {"assertions": [stated]}, Request()).find("/assertions/0")


def test_a_check_shows_the_fields_of_its_own_kind_and_what_it_needs_is_open():
    shown = assertion(type="regex")
    assert [field.key for field in shown.fields] == ["type", "value"]
    assert {field.key for field in shown.more} == {"name", "flags", "weight", "required", "min_score", "negate"}
    assert shown.find("/assertions/0/type").governs


def test_a_field_of_another_kind_that_a_check_has_is_shown():
    assert "budget" in {field.key for field in assertion(type="regex", budget=1).fields}


def test_a_text_with_words_for_its_examples_is_picked_and_an_unknown_one_is_kept():
    document = {"graders": [{"type": "string_match"}, {"type": "my_own"}]}
    shown = build(TASK_SUITE[NodeKind.CASE], document, Request())
    known, unknown = (shown.find(f"/graders/{place}/type") for place in (0, 1))
    assert (known.widget, known.raw) == (Widget.CHOICE, "string_match")
    assert ("string_match", "Texts in the answer") in {(option.value, option.label) for option in known.options}
    assert [option.value for option in unknown.options if not option.allowed] == ["my_own"]
