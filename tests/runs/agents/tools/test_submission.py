def test_an_answer_is_handed_in(shop):
    result = shop(has_room=False).call("submit", {"answer": "the hub"})
    assert (result.is_error, result.final_output) == (False, "the hub")


def test_an_empty_answer_is_refused(shop):
    result = shop().call("submit", {"answer": " "})
    assert (result.is_error, result.final_output) == (True, None)
