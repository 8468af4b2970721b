from packs.formats.benchmark_pack.compiled import compile_row
from packs.formats.benchmark_pack.header import Header

HEADER = Header(id="b", version=2, family="short_answer")
ROW = {"id": "a", "input": {"question": "Q"}, "eval": {"accepted_answers": ["x"]}, "metadata": {"environment": "mine"}}


def test_a_result_shows_public_values_only():
    compiled = compile_row(HEADER, ROW)
    assert compiled.payload("result") == {"question": "Q", "accepted_answers": "<redacted>"}
    assert compiled.summary() == [
        {"name": "question", "visibility": "public", "kind": "text", "value": "Q"},
        {"name": "accepted_answers", "visibility": "hidden", "kind": "json", "redacted": True},
    ]


def test_what_the_compiler_states_wins_over_an_author_s_metadata():
    assert compile_row(HEADER, ROW).metadata["environment"] == {}
