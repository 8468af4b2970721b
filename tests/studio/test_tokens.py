from django.contrib.auth.models import User

from packs.access import Scope
from packs.models import Pack, Token
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


def test_a_key_can_always_read_and_is_for_all_teams_only_where_it_is_for_nothing_less(team):
    user, pack = User.objects.create_user("ada"), Pack.objects.create(team=team, slug="p", format="challenge_pack")
    plain, of_team, of_pack = (
        issue(user, Wish(name, scopes=[Scope.EDIT], **narrow))[0]
        for name, narrow in (("a", {}), ("b", {"teams": [team]}), ("c", {"pack": pack}))
    )
    assert plain.scopes == ["read", "edit"]
    assert [token.is_for_all_teams for token in (plain, of_team, of_pack)] == [True, False, False]


def test_a_key_of_which_nothing_is_said_administers_nothing_and_ends_after_ninety_days(db):
    token, _ = issue(User.objects.create_user("ada"), Wish("laptop"))
    assert token.scopes == ["read", "edit", "run", "review"]
    assert (token.expires_at - token.created_at).days in (89, 90)
