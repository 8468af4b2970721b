"""Proofs as JSON, and the state of several cases."""

import pytest

from runs.proof.document import CaseProof, CaseState, Reason, read_proof, worst
from runs.proof.probes import Code

PROOF = CaseProof(
    "default",
    "locate",
    "one",
    CaseState.REFUTED,
    (Reason(Code.ACCEPTS_EMPTY, "It accepts nothing.", "an empty answer"),),
    (Reason(Code.LEAKS, "It stands there.", "", "It is to be found."),),
    0.5,
    12,
)


def test_a_proof_is_read_as_it_was_written():
    assert read_proof(PROOF.as_dict()) == PROOF


@pytest.mark.parametrize("spoiled", [{}, {"state": "fine"}, {**PROOF.as_dict(), "reasons": [{"code": "unheard"}]}])
def test_what_is_no_proof_is_refused(spoiled):
    with pytest.raises((KeyError, TypeError, ValueError)):
        read_proof(spoiled)


def test_a_pack_is_as_good_as_its_worst_case():
    proven, stale, unproven, refuted = CaseState
    assert worst([proven, stale]) is stale
    assert worst([unproven, proven]) is unproven
    assert worst([unproven, refuted, proven]) is refuted
    assert worst([]) is unproven
