from pathlib import Path

import jsonschema_rs
import pytest

from packs.formats import challenge_pack
from packs.formats.challenge_pack.schema import SCHEMA, file_schemas
from packs.formats.challenge_pack.schema.tools import KINDS, TOOLS
from packs.formats.challenge_pack.shapes import SHAPES
from packs.formats.document import NodeKind
from packs.formats.schema.kinds import begun, first_need, opened
from tests.packs.formats.challenge_pack.samples import found_in

ROOT = Path(__file__).resolve().parents[4]
YAML_FILES = sorted((ROOT / "packs" / "samples").rglob("*.yaml"))
SAMPLES = [path for path in YAML_FILES if challenge_pack.recognises({path.name: path.read_bytes()})]


def parts(schema):
    """A schema and all schemas inside it."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("oneOf", ())]
    inner += [schema[name] for name in ("items", "additionalProperties") if isinstance(schema.get(name), dict)]
    for part in inner:
        yield from parts(part)


@pytest.mark.parametrize("kind", list(NodeKind))
def test_the_schema_of_a_node_is_valid_itself(kind):
    jsonschema_rs.meta.validate(SCHEMA[kind])


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_published_schema_accepts_our_own_packs(path):
    pack, _ = challenge_pack.load({path.name: path.read_bytes()})
    for address, document in pack.nodes():
        jsonschema_rs.validate(SCHEMA[address.kind], document)


def test_the_published_schema_refuses_an_unknown_key_in_the_evaluation_spec():
    version = {"number": 1, "evaluation_spec": {"name": "n", "surprise": 1}}
    found = {error.kind.name for error in jsonschema_rs.iter_errors(file_schemas()[""], {"version": version})}
    assert "additionalProperties" in found


@pytest.mark.parametrize("kind", list(NodeKind))
def test_every_field_of_a_form_has_a_title(kind):
    untitled = [
        name
        for schema in parts(SCHEMA[kind])
        for name, part in schema.get("properties", {}).items()
        if not part.get("title")
    ]
    assert untitled == []


def test_every_choice_has_words_for_each_of_its_values():
    for kind in NodeKind:
        for schema in parts(SCHEMA[kind]):
            if "x-labels" in schema:
                assert list(schema["x-labels"]) == schema["enum"]


def test_the_schema_of_a_configuration_depends_on_the_type():
    validator = SCHEMA[NodeKind.PACK]["properties"]["version"]["properties"]["evaluation_spec"]["properties"][
        "validators"
    ]["items"]
    wrong = {"key": "k", "type": "fuzzy_match", "target": "final_output", "config": {"threshold": 2}}
    wrong["expected_from"] = "literal:a"
    assert not jsonschema_rs.is_valid(validator, wrong)
    assert jsonschema_rs.is_valid(validator, wrong | {"type": "exact_match"})


def test_the_order_of_fields_is_the_canonical_one():
    assert list(SHAPES[NodeKind.PACK].fields["version"].fields["evaluation_spec"].fields) == [
        *("name", "version_number", "judge_mode", "post_execution_checks", "validators", "metrics", "behavioral"),
        *("llm_judges", "runtime_limits", "pricing", "scorecard"),
    ]


TOOL = TOOLS["properties"]["custom"]["items"]


@pytest.mark.parametrize("name", KINDS)
def test_a_new_tool_lacks_only_what_its_author_knows(name):
    tool = begun(TOOL, name, ())
    assert first_need(TOOL, tool) == "name"
    found = found_in({"tools": {"custom": [{**tool, "name": "mine"}]}}, "tools")
    assert [rule for rule, _ in found] == (["T2"] if name == "other" else [])


def test_a_mock_opens_what_its_strategy_needs():
    implementation = TOOL["properties"]["implementation"]
    assert opened(implementation, {"type": "mock", "strategy": "lookup"}) == ["strategy", "lookup_key", "responses"]
    assert opened(implementation, {"primitive": "exec"}) == []


def test_what_forms_show_of_tools_binds_no_reader():
    assert "custom" not in str(file_schemas()[""]["properties"]["tools"].get("properties", ""))
    assert "properties" not in SCHEMA[NodeKind.PACK]["properties"]["tools"]
