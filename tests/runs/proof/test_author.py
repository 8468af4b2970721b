"""`proof.yaml`: what an author states, and what is wrong with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.proof.author import (
    Notes,
    read_notes,
    strangers,
    with_acceptance,
    with_answer,
    without_acceptance,
    without_answer,
    write_notes,
)
from runs.proof.probes import Code, Work
from tests.runs.proof.makers import task_of

TEXT = b"""
accepts:
- {code: accepts_echo, reason: Copying is the task., cases: [one]}
- {code: leaks, reason: It is to be found.}
cases:
- case_key: one
  challenge_key: first
  reference: Leeds
  right: [the Leeds hub, {text: Done., files: {a.txt: b}}]
  wrong: [York]
"""


def test_what_is_stated_about_a_case():
    notes, findings = read_notes(TEXT)
    assert findings == []
    one = notes.of(task_of("one", "first"))
    assert one.reference == Work("Leeds")
    assert one.right == [Work("the Leeds hub"), Work("Done.", {"a.txt": "b"})]
    assert one.wrong == [Work("York")]
    assert one.accepts(Code.ACCEPTS_ECHO) == "Copying is the task."
    other = notes.of(task_of("one", "second"))
    assert other.reference is None
    third = notes.of(task_of("three"))
    assert (third.accepts(Code.ACCEPTS_ECHO), third.accepts(Code.LEAKS)) == ("", "It is to be found.")


WORDS = st.text("ab \n:#é", max_size=8)
EVENTS = st.lists(st.fixed_dictionaries({"event_type": WORDS, "payload": st.dictionaries(WORDS, WORDS, max_size=2)}))


@given(st.lists(st.builds(Work, WORDS, st.dictionaries(WORDS, WORDS, max_size=2), EVENTS, st.booleans()), max_size=3))
def test_each_answer_that_is_stated_is_read_back_whole(works):
    document, task = {}, task_of("one", "first")
    for work in works:
        document = with_answer(document, task, "wrong", work, "Trial 7")
    notes, findings = read_notes(write_notes(document))
    kept = []
    for work in works:
        kept += [] if work in kept else [work]
    assert (findings, [Work(w.text, dict(w.files), list(w.events), w.deletes) for w in notes.of(task).wrong]) == (
        [],
        kept,
    )


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (b"accepts:\n- {code: accepts_all, reason: x}\n", "proof.E001", 2),
        (b"accepts:\n- {code: leaks}\n", "proof.E003", 2),
        (b"accepts:\n- {code: no_reference, reason: x}\n", "proof.E001", 2),
        (b"case: []\n", "proof.E002", 1),
        (b"cases:\n- case_key: one\n  refrence: x\n", "proof.E002", 3),
        (b"cases:\n- case_key: one\n  right: x\n", "proof.E001", 3),
        (b"- a\n", "proof.E001", 1),
        (b"cases: [\n", "yaml.E001", 2),
    ],
)
def test_a_mistake_is_a_finding_at_its_line(text, code, line):
    notes, [finding] = read_notes(text)
    assert (finding.code, finding.line) == (code, line)
    assert notes.document == {}


def test_an_empty_file_states_nothing():
    notes, findings = read_notes(b"")
    assert (notes.document, findings) == ({}, [])


def test_cases_that_the_pack_does_not_have_are_found():
    notes, _ = read_notes(TEXT)
    found = strangers(notes, [task_of("two")])
    assert [finding.field_path for finding in found] == ["cases[0].case_key", "accepts[0].cases[0]"]
    assert strangers(notes, [task_of("one")]) == []


def test_an_answer_is_changed_in_its_place_or_taken_away():
    task, other = task_of("one", "first"), task_of("two")
    document = with_answer({"canary": "c"}, other, "right", Work("Hull"))
    for name, text in (("wrong", "York"), ("wrong", "Leeds?"), ("reference", "Leeds")):
        document = with_answer(document, task, name, Work(text), "Trial 7")
    first, york, last = Notes(document).stated(task)
    assert [(each.name, each.work.text, each.origin) for each in (first, york, last)] == [
        ("reference", "Leeds", "Trial 7"),
        ("wrong", "York", "Trial 7"),
        ("wrong", "Leeds?", "Trial 7"),
    ]
    changed = with_answer(document, task, "wrong", Work("York", {"a": "b"}), "", instead=york.key)
    assert [each.work for each in Notes(changed).stated(task)[1:]] == [Work("York", {"a": "b"}), Work("Leeds?")]
    moved = with_answer(document, task, "right", Work("York"), "", instead=york.key)
    assert [(each.name, each.work.text) for each in Notes(moved).stated(task)] == [
        ("reference", "Leeds"),
        ("right", "York"),
        ("wrong", "Leeds?"),
    ]
    twice = with_answer(document, task, "wrong", Work("Leeds?"), "", instead=york.key)
    assert [each.work.text for each in Notes(twice).stated(task)] == ["Leeds", "Leeds?"]
    with pytest.raises(KeyError):
        with_answer(changed, task, "wrong", Work("x"), "", instead=york.key)
    for each in (first, york, last):
        document = without_answer(document, task, each.key)
    # The case is not named without an answer; the others stay.
    assert [entry["case_key"] for entry in document["cases"]] == ["two"]
    [hull] = Notes(document).stated(other)
    assert without_answer(document, other, hull.key) == {"canary": "c"}


def test_what_is_meant_is_taken_back_at_one_case_alone():
    one, two = task_of("one"), task_of("two")
    entry = {"code": "leaks", "reason": "x", "cases": ["one", "two"]}
    document = without_acceptance({"accepts": [entry]}, one, Code.LEAKS)
    assert (Notes(document).of(one).accepts(Code.LEAKS), Notes(document).of(two).accepts(Code.LEAKS)) == ("", "x")
    assert without_acceptance(document, two, Code.LEAKS) == {}
    with pytest.raises(KeyError):
        without_acceptance({"accepts": [{"code": "leaks", "reason": "All."}]}, one, Code.LEAKS)
    meant = with_acceptance({}, one, Code.FLAKY, "It is meant.")
    with pytest.raises(KeyError):
        without_acceptance(meant, one, Code.LEAKS)
