"""What a compiled task says to gates."""

from dataclasses import replace

from packs.formats import adapter_of
from packs.formats.document import Pack

ADAPTER = adapter_of("task_suite")


def changed(pack: Pack, **fields) -> Pack:
    """The starter with other fields in its only task."""
    found = next(each for each in pack.input_sets if each.cases)
    case = replace(found.cases[0], document={**found.cases[0].document, **fields})
    return replace(pack, input_sets=(replace(found, cases=(case,)),))


def gating(**fields):
    (task,) = ADAPTER.compile_tasks(changed(ADAPTER.starter("small", "Small"), **fields))
    return task.gating


def test_what_changes_the_measurement_changes_the_fingerprint():
    assert gating(inputs={"user_message": "Hi"}).fingerprint != gating(inputs={"user_message": "Ho"}).fingerprint


def test_labels_leave_the_fingerprint_as_it_is():
    assert gating(tags=["one"], description="One").fingerprint == gating(tags=["two"], description="Two").fingerprint


def test_a_task_speaks_for_itself_about_gates():
    assert gating(gates={"nightly": False, "x": 1}).flags == {"nightly": False}


def test_forbidden_tools_are_those_of_the_inputs():
    assert gating(inputs={"forbidden_tools": ["wire", 3]}).forbidden_tools == ("wire",)
