import jsonschema_rs
import pytest

from packs.formats.benchmark_pack import SCHEMA, load
from packs.formats.benchmark_pack.families import ACTIVE
from packs.formats.benchmark_pack.schema.families import EVAL, INPUT
from packs.formats.benchmark_pack.schema.nodes import row_schema
from packs.formats.document import NodeKind
from packs.formats.structure.model import inheriting
from tests.packs.formats.benchmark_pack.samples import STARTS, pack_files


@pytest.mark.parametrize("kind", list(SCHEMA))
def test_the_schema_of_a_node_is_valid_itself(kind):
    jsonschema_rs.meta.validate(SCHEMA[kind])


@pytest.mark.parametrize("family", list(ACTIVE))
def test_the_published_schema_knows_each_family(family):
    row = {"id": "a", "family": family, **STARTS[family]}
    assert jsonschema_rs.is_valid(SCHEMA[NodeKind.CASE], row)
    assert not jsonschema_rs.is_valid(SCHEMA[NodeKind.CASE], {**row, "input": {"surprise": 1}})
    assert not jsonschema_rs.is_valid(SCHEMA[NodeKind.CASE], {"id": "a", "family": family})


@pytest.mark.parametrize(("default", "has_fields"), [("short_answer", True), ("own", False)])
def test_a_row_without_a_family_has_the_fields_of_the_default(default, has_fields):
    schema = inheriting(row_schema(), {"id": "a"}, {"defaults": {"family": default}})
    assert ("question" in schema["properties"]["input"].get("properties", {})) is has_fields


def test_every_field_of_a_family_has_a_title():
    for schemas in (INPUT, EVAL):
        for schema in schemas.values():
            assert all(part["title"] for part in schema["properties"].values())


def test_the_schema_accepts_our_own_nodes():
    pack, _ = load(pack_files(beside={"assets/a.txt": "x"}))
    for address, document in pack.nodes():
        jsonschema_rs.validate(SCHEMA[address.kind], document)
