"""A canary is found where it is said again, and where agents are given it."""

import pytest

from runs.proof.author import read_notes
from runs.proof.canary import PREFIX, holds, may_hold, new_canary
from runs.proof.document import CaseState
from runs.proof.probes import Code
from tests.runs.proof.makers import TIDY, challenge, proven

CANARY = f"{PREFIX} 0b7c3f0e-5d1c-4d57-9f53-2c1d5a0e9b11"


@pytest.mark.parametrize(
    "text",
    [
        f"It says {CANARY}.",
        "0B7C3F0E-5D1C-4D57-9F53-2C1D5A0E9B11",
        "packwright canary: 0b7c 3f0e 5d1c 4d57 9f53 2c1d 5a0e 9b11",
    ],
)
def test_it_is_found_in_other_spellings(text):
    assert holds(text, CANARY)


@pytest.mark.parametrize("text", ["", PREFIX, "0b7c3f0e-5d1c"])
def test_other_texts_do_not_have_it(text):
    assert not holds(text, CANARY)
    assert not holds(text, "")
    assert not holds(new_canary(), CANARY)
    assert may_hold(new_canary())
    assert not may_hold(text)


def test_one_of_your_own_has_a_uuid():
    _, found = read_notes(b"canary: only some words of mine")
    assert [finding.code for finding in found] == ["proof.E001"]


def test_a_case_that_shows_it_to_agents_leaks():
    notes, found = read_notes(f"canary: {CANARY}".encode())
    assert (notes.canary, found) == (CANARY, [])
    stated = {"canary": CANARY}
    proof = proven(challenge({"says": TIDY}, ["Leeds"], asked=f"Answer exactly. {CANARY}"), stated)
    assert [(reason.code, reason.probe) for reason in proof.reasons] == [(Code.LEAKS, "the canary")]
    assert "in the prompt" in proof.reasons[0].message
    assert proven(challenge({"says": TIDY}, ["Leeds"], asked="Answer exactly."), stated).state is CaseState.PROVEN
