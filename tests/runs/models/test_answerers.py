"""Who answers for a model that a pack names."""

from runs.models import Connection
from runs.models.answerers import find_answerer
from tests.runs.connections import make_connection


def test_an_active_connection_that_lists_the_model_answers(team, other_team, model_server):
    make_connection(other_team, model_server, name="theirs")
    assert find_answerer(team, {}, "small") is None
    ours = make_connection(team, model_server, name="ours")
    found = find_answerer(team, {}, "small")
    assert (found.connection, found.model) == (ours, "small")
    Connection.objects.filter(pk=ours.pk).update(is_active=False)
    assert find_answerer(team, {}, "small") is None


def test_what_was_chosen_at_launch_wins(team, model_server):
    make_connection(team, model_server, name="a")
    other = make_connection(team, model_server, name="b", model_list=[{"name": "large"}])
    found = find_answerer(team, {"small": {"connection": other.pk, "model": "large"}}, "small")
    assert (found.connection, found.model) == (other, "large")


def test_a_choice_that_is_gone_is_not_replaced_in_silence(team, other_team, model_server):
    make_connection(team, model_server, name="a")
    theirs = make_connection(other_team, model_server, name="theirs")
    assert find_answerer(team, {"small": {"connection": theirs.pk, "model": "small"}}, "small") is None
