"""The calls of a connection, between threads and processes."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection as database
from django.utils import timezone

from runs.agents.endpoints.contract import EndpointFailed, ModelRequest, Trouble
from runs.agents.endpoints.watch import Watch
from runs.models import Connection, ConnectionCall
from runs.models.calls import Queue, slots_of
from runs.models.opening import open_endpoint
from tests import openai_server
from tests.runs.connections import make_connection


@pytest.fixture
def number(transactional_db, team, model_server):
    return make_connection(team, model_server).pk


def test_no_more_calls_are_at_work_than_the_connection_allows(number):
    busy, most, lock = [0], [0], threading.Lock()
    both = threading.Barrier(2)

    def call():
        with slots_of(number, 2)(Watch.of(480)):
            with lock:
                busy[0] += 1
                most[0] = max(most[0], busy[0])
            both.wait(480)
            # A third could come now.
            time.sleep(0.05)
            with lock:
                busy[0] -= 1
        database.close()

    threads = [threading.Thread(target=call) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [2]
    assert ConnectionCall.objects.count() == 0


def test_whoever_came_first_calls_first(number):
    queue = Queue(number, 1)
    first, second, third = (queue.enter() for _ in range(3))
    assert [is_free for _, is_free in (first, second, third)] == [True, False, False]
    queue.leave(first[0])
    assert queue.start(third[0]) > 0
    assert queue.start(second[0]) == 0


def test_whoever_is_next_looks_more_often_than_those_behind(number):
    queue = Queue(number, 1)
    _, second, *_, last = (queue.enter()[0] for _ in range(8))
    assert 0 < queue.start(second) < queue.start(last) <= 0.5


def test_the_place_of_a_dead_worker_frees_itself(number):
    queue = Queue(number, 1)
    dead, _ = queue.enter()
    waiting, is_free = queue.enter()
    assert not is_free
    ConnectionCall.objects.filter(pk=dead).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert queue.start(waiting) == 0


@pytest.mark.parametrize("per_minute", [None, 100])
def test_rows_of_dead_workers_do_not_pile_up(number, per_minute):
    queue = Queue(number, 5, per_minute)
    queue.enter()
    ConnectionCall.objects.update(lease_until=timezone.now() - timedelta(seconds=90))
    queue.leave(queue.enter()[0])
    assert ConnectionCall.objects.count() == (0 if per_minute is None else 1)


def test_a_place_that_is_held_for_long_is_kept_alive(number):
    with slots_of(number, 1)(Watch.of(480)) as held:
        ConnectionCall.objects.update(lease_until=timezone.now())
        held.is_cancelled.__self__.renewed -= 10
        held.check()
        assert ConnectionCall.objects.get().lease_until > timezone.now() + timedelta(seconds=5)


def test_calls_of_the_last_minute_count_for_the_rate(number):
    queue = Queue(number, 5, per_minute=2)
    for _ in range(2):
        call, is_free = queue.enter()
        assert is_free
        queue.leave(call)
    third, is_free = queue.enter()
    assert not is_free
    assert queue.start(third) > 0
    ago = timezone.now() - timedelta(seconds=61)
    ConnectionCall.objects.filter(ended_at__isnull=False).update(started_at=ago, lease_until=ago)
    assert queue.start(third) == 0
    queue.leave(third)
    assert ConnectionCall.objects.count() == 1


@pytest.mark.parametrize(
    ("watch", "trouble"),
    [(lambda: Watch.of(0.2), Trouble.TIMEOUT), (lambda: Watch.of(None, lambda: True), Trouble.CANCELLED)],
)
def test_waiting_for_a_place_ends_with_the_trial(number, watch, trouble):
    Queue(number, 1).enter()
    with pytest.raises(EndpointFailed) as caught, slots_of(number, 1)(watch()):
        pass
    assert caught.value.trouble is trouble
    assert ConnectionCall.objects.count() == 1


def test_where_one_call_is_refused_the_others_wait_as_long_as_the_endpoint_asks(number):
    with pytest.raises(EndpointFailed), slots_of(number, 5)(Watch.of(480)):
        raise EndpointFailed(Trouble.RATE_LIMITED, "too often", retry_after=40)
    call, is_free = Queue(number, 5).enter()
    assert not is_free
    assert 30 < Queue(number, 5).start(call) <= 40
    Connection.objects.filter(pk=number).update(rests_until=timezone.now())
    assert Queue(number, 5).start(call) == 0


def test_a_rest_that_is_shorter_than_the_trials_time_is_waited_for(number):
    Queue(number, 5).rest(0.2)
    with slots_of(number, 5)(Watch.of(480)):
        assert timezone.now() >= Connection.objects.get(pk=number).rests_until


@pytest.mark.parametrize(("rest", "seconds"), [(60, 5), (500, None)])
def test_a_rest_that_is_longer_than_anybody_waits_ends_the_call_at_once(number, rest, seconds):
    Queue(number, 5).rest(rest)
    with pytest.raises(EndpointFailed) as caught, slots_of(number, 5)(Watch.of(seconds)):
        pass
    assert (caught.value.trouble, round(caught.value.retry_after, -1)) == (Trouble.RATE_LIMITED, rest)
    assert ConnectionCall.objects.count() == 0


def test_calls_that_are_refused_together_count_once_and_refusals_in_a_row_rest_longer(number):
    queue, rests = Queue(number, 5), []
    for number_of_refusals in range(1, 6):
        before = timezone.now()
        queue.rest(None)
        until = Connection.objects.get(pk=number).rests_until
        rests.append(((until - timezone.now()).total_seconds(), (until - before).total_seconds()))
        Connection.objects.update(rests_until=before + timedelta(hours=1))
        queue.rest(None)
        assert Connection.objects.get(pk=number).refusals == number_of_refusals
        Connection.objects.update(rests_until=timezone.now())
    (at_most, _), *_, (_, at_least) = rests
    assert at_most < 1 < at_least


def test_an_answer_ends_the_row_of_refusals(number):
    queue = Queue(number, 5)
    queue.rest(None)
    Connection.objects.update(rests_until=timezone.now())
    with slots_of(number, 5)(Watch.of(480)):
        pass
    assert Connection.objects.get(pk=number).refusals == 0


def test_no_endpoint_keeps_a_connection_resting_for_hours(number):
    Queue(number, 5).rest(86_400)
    assert Connection.objects.get(pk=number).rests_until < timezone.now() + timedelta(minutes=11)


@pytest.mark.parametrize("trouble", [Trouble.REFUSED, Trouble.UNREACHABLE, Trouble.SERVER])
def test_other_trouble_lets_nobody_else_wait(number, trouble):
    with pytest.raises(EndpointFailed), slots_of(number, 5)(Watch.of(480)):
        raise EndpointFailed(trouble, "something else")
    assert Queue(number, 5).enter()[1]


def test_two_clients_of_one_connection_do_not_both_hammer_an_endpoint_that_asks_for_a_pause(
    number, model_server, local_endpoints
):
    moments = []

    def answer(request):
        moments.append(time.monotonic())
        return openai_server.trouble(429, retry_after=0.6) if len(moments) == 1 else "Here."

    model_server.answer = answer
    asked = ModelRequest("small", ({"role": "user", "content": "?"},), seconds=480)
    row = Connection.objects.get(pk=number)
    row.max_retries = 0
    first, second = open_endpoint(row), open_endpoint(row)
    with pytest.raises(EndpointFailed):
        first.ask(asked)
    assert second.ask(asked).attempts == 1
    assert moments[1] - moments[0] >= 0.5
