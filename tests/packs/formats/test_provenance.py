import pytest

from packs.formats.provenance import (
    OWN_KEY,
    check_provenance,
    find_provenance,
    locked_pointers,
    sealed,
)

FACTS = {"run": 3, "trial": 12, "step": 4, "trace": "trial-12"}
HELD = {"/inputs/incident_trace_ref": "trial-12"}


def codes(document):
    return [(finding.code, finding.path) for finding in check_provenance(document)]


def test_provenance_as_it_was_recorded_is_no_trouble_wherever_it_stands():
    assert codes({OWN_KEY: sealed(FACTS)}) == []
    assert codes({"metadata": {"provenance": sealed(FACTS)}}) == []
    assert codes({"inputs": {"incident_trace_ref": "trial-12"}, OWN_KEY: sealed(FACTS, HELD)}) == []


def test_a_changed_fact_is_found():
    assert codes({OWN_KEY: {**sealed(FACTS), "trial": 13}}) == [("provenance.W001", (OWN_KEY,))]
    assert codes({OWN_KEY: FACTS}) == [("provenance.W001", (OWN_KEY,))]


def test_a_changed_value_that_belongs_to_the_facts_is_found_at_its_place():
    document = {"inputs": {"incident_trace_ref": "other"}, OWN_KEY: sealed(FACTS, HELD)}
    assert codes(document) == [("provenance.W001", ("inputs", "incident_trace_ref"))]


def test_facts_of_the_author_s_own_are_no_provenance_of_ours():
    document = {"metadata": {"provenance": {"source": "a colleague"}}}
    assert find_provenance(document) is None
    assert codes(document) == []


def test_forms_lock_the_facts_and_what_belongs_to_them():
    assert locked_pointers({OWN_KEY: sealed(FACTS, HELD)}) == {f"/{OWN_KEY}", "/inputs/incident_trace_ref"}
    assert locked_pointers({"metadata": {"provenance": sealed(FACTS)}}) == {"/metadata/provenance"}
    assert locked_pointers({"metadata": {}}) == frozenset()


@pytest.mark.parametrize(
    "provenance",
    [
        {"holds": 3, "seal": "x"},
        sealed({"a": 1}, {"no-pointer": 1}),
        sealed({"deep": [[[]]]}, {"/a/b/c": 1}),
        {"seal": ["x"], "big": 2**80},
    ],
)
def test_odd_provenance_never_raises(provenance):
    assert all(code == "provenance.W001" for code, _ in codes({OWN_KEY: provenance}))
    assert locked_pointers({OWN_KEY: provenance})
