"""How results name their rows."""

from packs.formats.benchmark_pack.results import REDACTED, compiled_case

PACK = {"id": "rivers", "version": 1, "defaults": {"family": "short_answer"}}
ROW = {"id": "r1", "input": {"question": "Which river?"}, "eval": {"answer": "Elbe"}}


def test_a_result_shows_what_agents_see_and_withholds_the_rest():
    compiled = compiled_case(PACK, ROW)
    assert (compiled.benchmark_id, compiled.task_type) == ("rivers", "short_answer")
    shown = {part["name"]: part.get("value", REDACTED) for part in compiled.summary()}
    assert shown == {"question": "Which river?", "answer": REDACTED}
    assert compiled.withheld() == ["Elbe"]
