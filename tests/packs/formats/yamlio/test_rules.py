from packs.formats.findings import Rule
from packs.formats.yamlio import rules


def test_every_rule_has_a_code_of_its_own_and_says_what_to_do():
    found = [rule for rule in vars(rules).values() if isinstance(rule, Rule)]
    assert len({rule.code for rule in found}) == len(found)
    assert all(rule.hint and rule.code.startswith("yaml.") for rule in found)
