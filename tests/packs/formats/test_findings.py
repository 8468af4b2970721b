import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.findings import (
    Finding,
    Rule,
    Severity,
    apart_from,
    foremost,
    from_pointer,
    has_errors,
    index_of,
    kinds_of,
    render_path,
    to_pointer,
)

RULE = Rule("sample.E001", "No {what}.", hint="Add {what}.", rule="S1")
ADVICE = Rule("sample.W001", "Odd.")


def test_a_path_is_written_as_formats_write_it():
    assert render_path(("input_sets", 0, "cases", 1, "key")) == "input_sets[0].cases[1].key"
    assert render_path(()) == ""
    assert render_path((0, "a")) == "[0].a"


@given(st.lists(st.text()).map(tuple))
def test_a_pointer_leads_back_to_its_path(path):
    assert from_pointer(to_pointer(path)) == path


def test_text_that_is_no_pointer_is_refused():
    with pytest.raises(ValueError, match="not a JSON Pointer"):
        from_pointer("a/b")


@pytest.mark.parametrize(("step", "index"), [("0", 0), ("12", 12), ("-1", None), ("²", None), ("٣", None), ("", None)])
def test_a_step_spells_an_index_in_plain_digits_only(step, index):
    assert index_of(step) == index
    assert index_of("9" * 5000) is None


def test_a_rule_fills_its_words_and_takes_its_severity_from_its_code():
    finding = RULE.at(("a", 1), what="key")
    assert (finding.severity, finding.message, finding.hint, finding.rule) == (
        Severity.ERROR,
        "No key.",
        "Add key.",
        "S1",
    )
    assert (ADVICE.severity, Rule("x.N001", "").severity) == (Severity.WARNING, Severity.NOTE)


def test_words_of_the_author_are_never_taken_for_placeholders():
    assert RULE.at((), what="{what} {0}").message == "No {what} {0}."


def test_a_finding_seen_from_further_up_keeps_the_formats_own_spelling():
    inner = RULE.at(("b",), what="x")
    assert inner.below(("a", 0)).field_path == "a[0].b"
    spelt = RULE.at(("b",), field="b[KEY]", what="x")
    assert spelt.below(("a",)).field_path == "a.b[KEY]"
    assert spelt.below(()).field_path == "b[KEY]"


def test_an_unknown_place_is_null_in_json():
    shown = RULE.at(("a",), what="x").as_dict()
    assert (shown["line"], shown["column"], shown["path"], shown["severity"]) == (None, None, "a", "error")


def test_only_errors_count_as_errors():
    assert not has_errors([ADVICE.at(())])
    assert has_errors([ADVICE.at(()), RULE.at((), what="x")])
    assert Finding("x.E1", Severity.ERROR, (), "").is_error


def test_what_is_said_of_a_place_is_not_repeated_below_it():
    found = [ADVICE.at(path) for path in ((), ("a",), ("a", 1), ("ab",), ("a", 1, "b"))]
    assert [finding.path for finding in apart_from({("a",)}, found)] == [(), ("ab",)]
    assert [finding.path for finding in apart_from({("a", 1)}, found)] == [(), ("a",), ("ab",)]
    assert list(apart_from({()}, found)) == []
    assert list(apart_from(set(), found)) == found


def test_the_foremost_findings_are_the_first_of_each_kind_and_then_errors():
    many = [Rule("test.W001", "A warning.").at(("a", at)) for at in range(10)]
    many += [Rule("test.E001", "An error.").at(("b", at)) for at in range(10)]
    many += [Rule("test.N001", "A note.").at(("c", at)) for at in range(10)]
    found = foremost(many, 12)
    assert [finding.code[5] for finding in found] == [*"WWW", *"EEEEEE", *"NNN"]
    assert foremost(many, 30) == many
    assert [(kind.code, kind.count, kind.message) for kind in kinds_of(many)] == [
        ("test.E001", 10, "An error."),
        ("test.W001", 10, "A warning."),
        ("test.N001", 10, "A note."),
    ]
