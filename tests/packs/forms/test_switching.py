from packs.formats import adapter_of
from packs.formats.document import NodeKind
from packs.formats.structure.model import inheriting
from packs.forms.switching import switch

SCHEMA = adapter_of("benchmark_pack").SCHEMA[NodeKind.CASE]
PACK = {"defaults": {"family": "short_answer"}}
ROW = {
    "id": "a",
    "input": {"question": "Which?", "choices": ["x", "y"]},
    "eval": {"answer": "x"},
    "family": "multiple_choice",
}


def switched(before, after, confirmed=""):
    return switch(inheriting(SCHEMA, before, PACK), before, after, confirmed)


def test_what_has_no_place_any_more_is_asked_about_before_anything_changes():
    document, (refusal,) = switched(ROW, {**ROW, "family": "short_answer"})
    assert document == ROW
    assert (refusal.pointer, refusal.choice, refusal.lost) == ("/family", "short_answer", "input.choices, eval.answer")


def test_once_confirmed_the_family_changes_and_what_fits_stays():
    document, refusals = switched(ROW, {**ROW, "family": "short_answer"}, "/family")
    assert refusals == []
    assert document == {**ROW, "family": "short_answer", "input": {"question": "Which?"}, "eval": {}}


def test_a_family_that_was_left_to_the_pack_counts():
    before = {"id": "a", "input": {"question": "Why?"}, "eval": {"accepted_answers": ["x"], "own": 1}}
    _, (refusal,) = switched(before, {**before, "family": "free_response"})
    assert refusal.lost == "input.question, eval.accepted_answers"


def test_nothing_is_asked_where_everything_has_a_place():
    after = {**ROW, "family": "unheard_of"}
    assert switched(ROW, after) == (after, [])
    empty = {"id": "a", "family": "short_answer"}
    assert switched({"id": "a"}, empty) == (empty, [])
    assert switched(ROW, {**ROW, "id": "b"}) == ({**ROW, "id": "b"}, [])
