from studio.guessing import PER_NAME_AND_ADDRESS
from studio.views.confirming import ConfirmForm
from tests.factors import give_factor, wrong_code
from tests.people import PASSWORD


def is_right(rf, user, password):
    request = rf.post("/")
    request.user = user
    return ConfirmForm(request, "act", {"password": password}).is_valid()


def test_the_own_password_is_asked_for_and_guesses_are_limited(rf, author):
    assert is_right(rf, author, PASSWORD)
    assert not any(is_right(rf, author, "wrong") for _ in range(PER_NAME_AND_ADDRESS))
    assert not is_right(rf, author, PASSWORD)


def test_an_account_with_a_second_factor_gives_a_code_too(rf, author):
    secret, codes = give_factor(author)
    request = rf.post("/")
    request.user = author

    def is_valid(**given):
        return ConfirmForm(request, "act", given).is_valid()

    assert not is_valid(password=PASSWORD)
    assert not is_valid(password=PASSWORD, code=wrong_code(secret))
    # A wrong password uses no code up.
    assert not is_valid(password="wrong", code=codes[0])
    assert is_valid(password=PASSWORD, code=codes[0])
