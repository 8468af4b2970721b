from tests.findings_page import PAGE, declared_rules, render


def test_the_page_of_findings_has_a_line_for_every_declared_rule():
    page = PAGE.read_text()
    assert [rule.code for rule in declared_rules() if f"| `{rule.code}` |" not in page] == []


def test_the_page_of_findings_says_what_the_rules_say():
    assert PAGE.read_text() == render(), "write it again: python -m tests.findings_page"
