from packs.formats.agentv.rules import ADVISED, ASSERTIONS, CONVERTERS, OF_WORKSPACES, REFUSED, WARNINGS
from packs.formats.agentv.schema import SCHEMA
from packs.formats.structure.published import closed
from packs.formats.structure.relaxing import rule_names

# What other checks report at the same place, and the words of schemas that stand for all parts without a rule.
BESIDE = {"place", "no_suite", "no_source", "no_repository", "old_source", "old_checkout", "old_clone"}
GENERAL = {"type", "enum", "limit", "required", "slip"}


def test_every_rule_is_named_by_the_schema_and_every_name_has_a_rule():
    named = rule_names([closed(schema) for schema in SCHEMA.values()])
    assert named - BESIDE - GENERAL == {*REFUSED, *ADVISED, *ASSERTIONS, *CONVERTERS, *OF_WORKSPACES} - GENERAL


def test_a_rule_is_an_error_just_where_agentv_refuses_what_breaks_it():
    known = {**REFUSED, **ADVISED, **ASSERTIONS, **CONVERTERS, **OF_WORKSPACES}
    assert {name for name, rule in known.items() if rule.severity != "error"} == WARNINGS
