from django.contrib.auth.models import User

from packs.models import Token
from studio.tokens import Wish, digest_of, issue


def test_a_key_is_not_stored_in_clear(db):
    user = User.objects.create_user("ada")
    token, key = issue(user, Wish("laptop"))
    stored = Token.objects.values_list().get(pk=token.pk)
    assert key not in [str(value) for value in stored]
    assert token.digest == digest_of(key)


def test_two_keys_differ(db):
    user = User.objects.create_user("ada")
    assert issue(user, Wish("a"))[1] != issue(user, Wish("b"))[1]
