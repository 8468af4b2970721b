"""One thread that makes the statements of many."""

import threading

import pytest
from django.db import OperationalError, connections
from django.db.backends.signals import connection_created
from django.db.backends.sqlite3.base import DatabaseWrapper

from packs.models import Team
from runs.jobs.trials.execution import Shift
from runs.launch.launching import Options, launch
from runs.models import Agent
from runs.models.clerk import CLERK, by_clerk
from tests.runs.connections import make_connection
from tests.runs.studio_packs import pack_text, publish_text


@pytest.fixture
def openers():
    """The names of the threads that open a connection to the database from now on."""
    names = []

    def note(**more):
        names.append(threading.current_thread().name)

    connection_created.connect(note)
    yield names
    connection_created.disconnect(note)


@by_clerk
def here():
    return threading.current_thread()


def test_everybody_makes_their_own_statements_where_no_clerk_is_at_work(transactional_db):
    assert here() is threading.current_thread()
    with CLERK.at_work():
        assert here() is not threading.current_thread()
        assert here() is here()
    assert here() is threading.current_thread()


def test_what_a_statement_raises_comes_through_and_the_next_one_has_a_connection_that_works(transactional_db, openers):
    @by_clerk
    def broken():
        Team.objects.count()
        raise OperationalError("the server closed the connection")

    with CLERK.at_work():
        with pytest.raises(OperationalError):
            broken()
        assert CLERK.do(Team.objects.count) == 0
    assert [name.startswith("clerk") for name in openers] == [True, True]


def test_a_clerk_leaves_no_connection_behind(transactional_db, tmp_path):
    def connected():
        alias = {**connections["default"].settings_dict, "NAME": tmp_path / "own.sqlite3"}
        connections["default"] = DatabaseWrapper(alias)
        connections["default"].ensure_connection()
        return connections["default"]

    with CLERK.at_work():
        kept = CLERK.do(connected)
        assert kept.connection is not None
    assert kept.connection is None


@pytest.mark.django_db(transaction=True)
def test_trials_that_wait_for_a_model_have_no_connection_to_the_database(
    team, author, model_server, local_endpoints, openers
):
    model_server.reply("It is at the hub.", together=30)
    make_connection(team, model_server, max_concurrent=30)
    config = {"connection": "models", "model": "small"}
    agent = Agent.objects.create(team=team, name="asking", kind="chat", config=config)
    run = launch(author, publish_text(team, author, pack_text({"default": 40})), [agent], Options(concurrency=40))
    Shift(threads=50).work(run)
    run.refresh_from_db()
    assert run.counts == {"passed": 40}
    assert model_server.most_busy == 30
    assert not [name for name in openers if name.startswith("trial")]
