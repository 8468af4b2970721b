"""Who lacks a second factor that a team demands."""

from django.contrib.auth.models import User

from packs.models import Team
from studio.guessing import LimitedBackend
from studio.second_factor.demand import demanding_teams, with_demand
from tests.factors import give_factor


def lacking():
    return {user.username for user in with_demand(User.objects.all()) if user.lacks_factor}


def test_members_of_a_team_that_demands_one_lack_it_until_they_have_it(team, author, administrator, stranger):
    assert lacking() == set()
    Team.objects.filter(pk=team.pk).update(needs_second_factor=True)
    assert lacking() == {author.username, administrator.username}
    assert (demanding_teams(author), demanding_teams(stranger)) == ([team], [])
    give_factor(author)
    assert lacking() == {administrator.username}


def test_the_query_that_reads_the_user_of_a_session_says_it_too(team, author, django_assert_num_queries):
    Team.objects.filter(pk=team.pk).update(needs_second_factor=True)
    with django_assert_num_queries(1):
        assert LimitedBackend().get_user(author.pk).lacks_factor
    author.is_active = False
    author.save()
    assert LimitedBackend().get_user(author.pk) is None
