"""Faults that were planted are found and named; cases without one are proven."""

import pytest

from runs.proof.document import CaseState
from tests.runs.proof.found_later import FOUND
from tests.runs.proof.makers import proven
from tests.runs.proof.planted import BROKEN as PLANTED
from tests.runs.proof.sound import SOUND

BROKEN = PLANTED | FOUND


@pytest.mark.parametrize("name", BROKEN)
def test_a_planted_fault_is_named(name):
    code, *pack = BROKEN[name]
    proof = proven(*pack)
    assert proof.state is CaseState.REFUTED
    assert code in [reason.code for reason in proof.reasons]


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_case_is_proven(name):
    proof = proven(*SOUND[name])
    assert proof.reasons == ()
    assert proof.state is CaseState.PROVEN
