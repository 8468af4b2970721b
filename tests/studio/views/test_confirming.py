from studio.guessing import PER_NAME_AND_ADDRESS
from studio.views.confirming import ConfirmForm
from tests.people import PASSWORD


def is_right(rf, user, password):
    request = rf.post("/")
    request.user = user
    return ConfirmForm(request, "act", {"password": password}).is_valid()


def test_the_own_password_is_asked_for_and_guesses_are_limited(rf, author):
    assert is_right(rf, author, PASSWORD)
    assert not any(is_right(rf, author, "wrong") for _ in range(PER_NAME_AND_ADDRESS))
    assert not is_right(rf, author, PASSWORD)
