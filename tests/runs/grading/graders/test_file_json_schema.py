from tests.runs.grading.graders.grading import file_captured, graded_on, outcome

SCHEMA = {"type": "object", "required": ["n"]}


def checked(content, config):
    return outcome(graded_on("file_json_schema", [file_captured(content)], config=config))


def test_the_content_is_judged_under_the_schema():
    assert checked('{"n": 1}', {"schema": SCHEMA}) == "pass"
    assert checked("{}", {"schema": SCHEMA}) == "fail"
    assert checked("no", {"schema": SCHEMA}) == "evaluator_error"
    assert checked(None, {"schema": SCHEMA}) == "unavailable"


def test_without_a_usable_schema_the_author_has_to_mend_it():
    assert checked("{}", None) == "pack_error"
    assert checked("{}", {"schema": {"type": 3}}) == "pack_error"
