from studio.models import SignInAttempt


def test_an_attempt_says_whose_it_is_and_where_it_came_from(db):
    assert str(SignInAttempt.objects.create(name="digest", address="192.0.2.1")) == "digest from 192.0.2.1"
