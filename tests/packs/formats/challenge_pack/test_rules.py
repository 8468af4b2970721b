from packs.formats.challenge_pack.rules import RULES
from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.structure.published import closed
from packs.formats.structure.relaxing import rule_names

# What the check itself names: types outside of the evaluation spec, and blank items.
DEFAULTS = {"E003", "W006"}


def test_every_rule_is_named_by_the_schema_and_every_name_has_a_rule():
    named = rule_names([closed(schema) for schema in SCHEMA.values()])
    assert named - {"config"} == RULES.keys() - DEFAULTS
