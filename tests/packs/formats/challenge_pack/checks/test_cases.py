from packs.formats.challenge_pack import check
from packs.formats.challenge_pack.reader import load
from tests.packs.formats.challenge_pack.samples import files_of


def errors(**entry):
    pack, _ = load(files_of(entry))
    return [(finding.rule, finding.field_path) for finding in check(pack) if finding.is_error]


def codes(**entry):
    pack, _ = load(files_of(entry))
    return [finding.code for finding in check(pack)]


def with_cases(*cases, **more):
    return errors(base="voice", set={"/input_sets/0/cases": list(cases), **more})


def case(key, challenge_key="next-ferry", **more):
    return {"challenge_key": challenge_key, "case_key": key, "payload": {"day": "Monday"}, **more}


def test_the_first_key_that_is_not_blank_sets_the_challenge_of_the_set():
    found = with_cases(case("a", " "), case("b", "ghost"), case("c"))
    assert found == [
        ("K1", "input_sets[0].cases[0].challenge_key"),
        ("K2", "input_sets[0].cases[1].challenge_key"),
        ("K3", "input_sets[0].cases[2].challenge_key"),
    ]


def test_a_case_may_have_the_key_of_a_case_of_another_set():
    second = {"key": "second", "name": "Second", "cases": [case("one")]}
    assert errors(base="voice", set={"/input_sets/-": second}) == []


def test_the_key_of_a_case_is_its_case_key_and_else_its_item_key():
    found = with_cases(case("a"), case(" ", item_key="a "), case("b", item_key="a"))
    assert found == [("K6", "input_sets[0].cases[1].case_key")]


def test_two_cases_of_different_challenges_may_share_a_key_though_not_a_set():
    found = with_cases(case("a"), case("a", "ghost"))
    assert [rule for rule, _ in found] == ["K3", "K2"]


def test_the_old_list_of_items_is_checked_as_cases():
    items = [{"challenge_key": "ghost", "item_key": "a"}]
    assert errors(base="voice", drop=["/input_sets/0/cases"], set={"/input_sets/0/items": items}) == [
        ("K2", "input_sets[0].cases[0].challenge_key")
    ]


def test_a_source_may_have_blanks_after_its_colon_but_no_other_case():
    expectations = [
        {"key": "a", "kind": "text", "source": " input:  question"},
        {"key": "b", "kind": "text", "source": "artifact: timetable "},
        {"key": "c", "kind": "text", "source": "INPUT:question"},
    ]
    assert errors(set={"/input_sets/0/cases/0/expectations": [{"key": "port", "kind": "t"}, *expectations]}) == [
        ("N11", "input_sets[0].cases[0].expectations[3].source")
    ]


def test_a_reply_that_is_expected_of_a_turn_refers_to_the_inputs_of_its_case():
    turns = "/input_sets/0/cases/0/user_simulator/phases/0/turns/0/expects"
    inputs = {"/input_sets/0/cases/0/inputs": [{"key": "known", "kind": "text", "value": "x"}]}
    known = [{"key": "a", "kind": "contains", "source": "input:known"}]
    unknown = [{"key": "a", "kind": "contains", "source": "input:unknown"}]
    assert errors(base="conversation", set={**inputs, turns: known}) == []
    assert [rule for rule, _ in errors(base="conversation", set={**inputs, turns: unknown})] == ["N9"]


def test_a_message_may_use_payload_and_inputs_and_each_missing_name_is_told_once():
    turn = "/input_sets/0/cases/0/user_simulator/phases/0/turns/0/message"
    inputs = {"/input_sets/0/cases/0/inputs": [{"key": "gate", "kind": "json", "value": {"number": 4}}]}
    text = "{{port}} {{ gate.number }} {{gate.letter}} {{pier}} {{pier}} {{not-a-name}} {{ }}"
    found = errors(base="conversation", set={**inputs, turn: text})
    assert [rule for rule, _ in found] == ["U18", "U18"]


def test_a_command_is_asked_of_every_case_of_every_set():
    validator = {"key": "v", "type": "code_execution", "target": "file:t", "config": {"test_command": "x {{day}}"}}
    edits = {
        "ES/post_execution_checks": [{"key": "t", "type": "file_capture", "path": "t"}],
        "ES/validators/-": validator,
        "/input_sets/-": {"key": "b", "name": "B", "cases": [case("a"), case("b", payload={})]},
    }
    assert errors(base="voice", set=edits) == [
        ("W1", "version.evaluation_spec.validators[1].config.test_command (input_sets[1].cases[1])")
    ]


def test_a_command_in_a_config_of_the_wrong_shape_is_not_read():
    config = {"test_command": "x {{nothing}}", "surprise": 1}
    validator = {"key": "v", "type": "code_execution", "target": "file:ticket", "config": config}
    assert [rule for rule, _ in errors(set={"ES/validators/-": validator})] == ["F11"]


def test_a_payload_with_a_schema_version_is_unambiguous_in_a_structured_case():
    structured = {"/input_sets/0/cases/0/payload/schema_version": 2}
    assert codes(set=structured) == []


def test_an_unused_asset_is_not_doubted_when_a_file_belongs_to_it():
    asset = {"key": "extra", "path": "extra", "artifact_id": "00000000-0000-0000-0000-000000000001"}
    assert codes(set={"/version/assets/-": asset}) == []


def test_placeholders_in_instructions_matter_only_where_they_are_filled_in():
    edits = {"/challenges/0/instructions": "Leave {{this}}."}
    assert codes(base="voice", set=edits) == []
    assert codes(base="security", set=edits) == ["challenge_pack.W203"]
