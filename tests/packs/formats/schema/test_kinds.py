import pytest

from packs.formats.agentv.kinds import KINDS as ASSERTIONS
from packs.formats.agentv.schema.assertions import ASSERTION, OFFERED
from packs.formats.benchmark_pack.families import ACTIVE
from packs.formats.benchmark_pack.schema.nodes import row_schema
from packs.formats.challenge_pack.schema.judges import JUDGE
from packs.formats.challenge_pack.schema.spec import METRIC, VALIDATOR
from packs.formats.kinds import KINDS
from packs.formats.schema.kinds import Purpose, begun, deciding, first_need, foreign, joined, kind_of, offered, opened
from packs.formats.structure.model import fields_of, variants_of
from packs.formats.task_suite.catalogue import GRADERS
from packs.formats.task_suite.schema.graders import GRADER

OFFERS = {"validator": VALIDATOR, "judge": JUDGE, "metric": METRIC, "assertion": ASSERTION, "grader": GRADER}


@pytest.mark.parametrize(
    ("schema", "known"), [(VALIDATOR, KINDS), (GRADER, GRADERS), (row_schema(), ACTIVE), ({"oneOf": [{}]}, ())]
)
def test_a_gallery_offers_each_kind_that_its_format_knows(schema, known):
    assert set(offered(schema).get("kinds", ())) == set(known)


def test_the_gallery_of_agentv_offers_a_sentence_and_a_template_besides():
    assert set(OFFERED) == set(ASSERTIONS)
    assert set(offered(ASSERTION)["kinds"]) == {*ASSERTIONS, "sentence", "include"}


@pytest.mark.parametrize("schema", [*OFFERS.values(), row_schema()], ids=[*OFFERS, "row"])
def test_every_kind_says_what_it_is_for_and_names_fields_that_there_are(schema):
    word = offered(schema)
    for name, kind in word["kinds"].items():
        assert all(kind[said] for said in ("label", "example"))
        assert kind["purpose"] in list(Purpose)
        assert kind["says"].endswith(".")
        start = begun(schema, name, ()) if schema is not row_schema() else {}
        part = next((part for part in variants_of(schema) if "properties" in part), schema)
        assert {*kind["fields"], *kind["needs"]} <= fields_of(part, {word["by"]: name}).keys(), name
        assert not isinstance(start, dict) or start.keys() <= fields_of(part, start).keys(), name


def test_an_object_has_no_fields_of_other_kinds_but_those_that_are_written():
    hidden = foreign(ASSERTION, {"type": "regex", "budget": 1})
    assert {"threshold", "command", "aggregator", "include", "criteria"} <= hidden
    assert not hidden & {"value", "flags", "budget", "weight", "name"}


def test_an_object_of_no_known_kind_has_the_fields_that_all_share():
    assert kind_of(ASSERTION, {"type": "my-own"}) == kind_of(ASSERTION, {}) == kind_of(ASSERTION, 1) == {}
    assert kind_of(ASSERTION, "It is polite.")["purpose"] is Purpose.JUDGE
    assert "value" in foreign(ASSERTION, {"type": "my-own"})
    assert "weight" not in foreign(ASSERTION, {})


def test_both_spellings_of_a_kind_count():
    assert kind_of(ASSERTION, {"type": "contains_any"})["label"] == OFFERED["contains-any"]["label"]


@pytest.mark.parametrize(
    ("around", "changed"),
    [
        (None, {}),
        ({"judge_mode": ["deterministic"], "scorecard": {"dimensions": "none"}}, {}),
        ({"judge_mode": "llm_judge", "scorecard": []}, {}),
        (
            {"judge_mode": "deterministic", "scorecard": {"dimensions": ["tone", {"key": [1]}]}},
            {
                ("judge_mode",): "hybrid",
                ("scorecard", "dimensions"): [
                    "tone",
                    {"key": [1]},
                    {"key": "tone_2", "source": "llm_judge", "judge_key": "tone"},
                ],
            },
        ),
    ],
)
def test_a_new_object_changes_around_its_list_only_what_keeps_it_from_counting(around, changed):
    assert joined(JUDGE, around, {"key": "tone", "mode": "rubric"}) == changed


def test_a_required_field_is_never_hidden():
    assert "target" not in foreign(VALIDATOR, {"type": "contains"})


def test_a_new_check_has_a_free_key_and_what_its_kind_begins_with():
    first = begun(VALIDATOR, "contains", ())
    assert first == {"type": "contains", "key": "contains", "target": "final_output"}
    assert begun(VALIDATOR, "contains", [first, "odd", {"key": "contains_2"}])["key"] == "contains_3"
    assert begun(VALIDATOR, "file_exists", ()) == {"type": "file_exists", "key": "file_exists"}
    assert begun(ASSERTION, "sentence", ()) == ""
    assert begun(ASSERTION, "include", ()) == {"include": ""}
    with pytest.raises(KeyError):
        begun(VALIDATOR, "nothing", ())


def test_what_a_new_check_lacks_first_is_what_is_filled_in_first():
    assert first_need(VALIDATOR, begun(VALIDATOR, "contains", ())) == "expected_from"
    assert first_need(VALIDATOR, begun(VALIDATOR, "file_exists", ())) == "target"
    assert first_need(VALIDATOR, begun(VALIDATOR, "tool_call_assertion", ())) == "config"
    assert first_need(ASSERTION, {"type": "is-json"}) == "type"
    assert first_need(ASSERTION, "") == ""


CHECK = variants_of(ASSERTION)[1]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"type": "tool-trajectory", "mode": "any_order"}, {"mode", "minimums"}),
        ({"type": "tool-trajectory", "mode": "in_order"}, {"mode", "expected"}),
        ({"type": "tool_trajectory", "mode": "exact"}, {"mode", "expected"}),
        ({"type": "tool-trajectory", "mode": 3}, {"mode"}),
        ({"type": "token-usage"}, {"max_total", "max_input", "max_output"}),
        ({"type": "contains"}, {"value"}),
    ],
)
def test_a_check_of_agentv_opens_what_its_type_and_mode_need(value, shown):
    assert {*opened(CHECK, value)} == shown


def test_how_members_combine_opens_what_that_needs():
    aggregator = fields_of(CHECK, {})["aggregator"]
    assert opened(aggregator, {"type": "code-grader"}) == ["path"]
    assert opened(aggregator, {"type": "threshold"}) == ["threshold"]
    assert deciding(aggregator) == {"type"}


def test_every_field_that_a_value_opens_is_there():
    parts = [CHECK, fields_of(CHECK, {})["aggregator"], fields_of(CHECK, {})["fields"]["items"]]
    for part in parts:
        known = fields_of(part, {})
        assert {*deciding(part)} <= known.keys()
        assert {name for each in part["x-opens"].values() for names in each.values() for name in names} <= known.keys()


def test_a_new_check_of_tools_begins_with_what_is_counted():
    started = begun(ASSERTION, "tool-trajectory", ())
    assert started == {"type": "tool-trajectory", "mode": "any_order"}
    assert first_need(ASSERTION, started) == "minimums"


@pytest.mark.parametrize(
    ("kind", "needed"),
    [
        ("exact_match", ["expected_from"]),
        ("fuzzy_match", ["expected_from"]),
        ("file_exists", ["target"]),
        ("code_execution", ["target", "config"]),
        ("tool_call_assertion", ["config"]),
    ],
)
def test_a_new_validator_opens_what_its_kind_cannot_do_without(kind, needed):
    assert offered(VALIDATOR)["kinds"][kind]["needs"] == needed
    assert ("config" in begun(VALIDATOR, kind, ())) == ("config" in needed)


def test_a_validator_has_settings_where_its_kind_has_some():
    hidden = {name for name in KINDS if "config" in foreign(VALIDATOR, {"type": name})}
    assert hidden == {name for name, kind in KINDS.items() if not kind.properties}
    assert "exact_match" in hidden
    assert "threshold" in KINDS["fuzzy_match"].properties
