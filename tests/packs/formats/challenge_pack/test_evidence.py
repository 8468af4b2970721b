import pytest

from packs.formats.challenge_pack.evidence import dotted_path, is_reference, reads_case, reads_conversation


@pytest.mark.parametrize(
    "reference",
    [
        *[
            "final_output",
            "run.final_output",
            "challenge_input",
            "case.payload",
            "case.payload.a",
            "case.payload.a.0.b",
        ],
        *["case.inputs.a", "case.inputs.a.b", "case.expectations.a", "artifact.a", "artifact.a.path", "file:a"],
        *["literal:", "literal: a ", "transcript.full", "transcript.from_mismatch", "turn.expectations"],
        *["transcript.last_n:1", "transcript.last_n: 12 ", "transcript.last_n:+07", "file: a"],
    ],
)
def test_a_reference_of_a_known_form_is_accepted(reference):
    assert is_reference(reference)


@pytest.mark.parametrize(
    "reference",
    [
        *["", "output", "case", "case.inputs", "case.inputs.", "case.inputs. ", "case.inputs.a.", "case.inputs.a. .b"],
        *[
            "case.expectations..a",
            "artifact",
            "artifact.",
            "file:",
            "file: ",
            "Literal:a",
            "final_output ",
            "tool_calls",
        ],
        *["transcript", "transcript.first", "transcript.last_n:", "transcript.last_n:0", "transcript.last_n:-1"],
        *["transcript.last_n:00", "transcript.last_n:" + "9" * 5000],
        *["transcript.last_n:1.5", "transcript.last_n:٣", "case.other.a", " literal:x"],
    ],
)
def test_a_reference_of_no_known_form_is_refused(reference):
    assert not is_reference(reference)


def test_a_dotted_reference_is_taken_apart_at_its_dots():
    assert dotted_path("case.inputs.doc.pages.0") == ("case.inputs.", ("doc", "pages", "0"))
    assert dotted_path("final_output") is None


def test_references_tell_what_they_need():
    assert [name for name in ("case.payload", "artifact.a", "challenge_input", "final_output") if reads_case(name)] == [
        "case.payload",
        "artifact.a",
        "challenge_input",
    ]
    assert reads_conversation("transcript.last_n:2")
    assert not reads_conversation("final_output")
