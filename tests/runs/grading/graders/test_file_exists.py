from tests.runs.grading.graders.grading import file_captured, graded_on, outcome

THERE, GONE = file_captured("data"), file_captured(None)


def test_a_missing_or_never_captured_file_fails():
    assert outcome(graded_on("file_exists", [THERE])) == "pass"
    assert outcome(graded_on("file_exists", [GONE])) == "fail"
    assert outcome(graded_on("file_exists", [])) == "fail"


def test_it_can_be_turned_round():
    config = {"must_exist": False}
    assert outcome(graded_on("file_exists", [THERE], config=config)) == "fail"
    assert outcome(graded_on("file_exists", [GONE], config=config)) == "pass"


def test_a_target_that_is_no_reference_is_the_authors_mistake():
    assert outcome(graded_on("file_exists", [THERE], target="file:")) == "pack_error"
    assert outcome(graded_on("file_exists", [THERE], config={"must_exist": "no"})) == "pack_error"
