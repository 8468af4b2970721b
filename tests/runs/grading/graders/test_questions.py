from runs.grading.graders.questions import Question


def test_a_question_tells_who_is_asked_what_and_for_whom():
    asked = ({"role": "user", "content": "How good is it?"},)
    payload = Question("tone", "small", asked, facts={"round": 1}).payload()
    assert payload == {"validator_key": "tone", "model": "small", "messages": list(asked), "round": 1}


def test_one_that_nobody_answered_names_its_model():
    assert "small" in Question("tone", "small", ()).without()
