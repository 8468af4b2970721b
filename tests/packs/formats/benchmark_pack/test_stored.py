from packs.formats.benchmark_pack.stored import stored_document
from packs.formats.document import Case


def test_a_row_is_stored_in_canonical_order_without_empty_parts():
    row = {
        "own": 1,
        "input": {},
        "id": "a",
        "family": "short_answer",
        "eval": {"tolerance": 1, "accepted_answers": [1]},
    }
    stored = stored_document(Case("a", "", row))
    assert list(stored) == ["id", "family", "eval", "own"]
    assert list(stored["eval"]) == ["accepted_answers", "tolerance"]
