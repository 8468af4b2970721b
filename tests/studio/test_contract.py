"""No answer of the API is a mistake of the studio, and none is unknown to the description."""

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.core.failures import Failure, FailureGroup

from packs.access import Role, Scope
from studio.tokens import Wish, issue
from studio.views.reference import described
from studio.wsgi import application
from tests.access.world import make_world
from tests.studio.contract import CHECKS, EXAMPLES, ask, call, places, requests_of

pytestmark = pytest.mark.long

BOUNDED = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def schema():
    found = schemathesis.openapi.from_dict(described())
    found.app = application
    return found


@pytest.fixture
def world(db, settings):
    settings.ALLOWED_HOSTS = ["localhost"]
    # A request must not close the connection whose transaction the test takes back.
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield make_world("quokka")
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def key(world):
    return issue(world.people[Role.ADMINISTRATOR], Wish("contract", scopes=Scope))[1]


def test_every_call_is_answered_as_it_is_described(schema, world, key):
    addresses, troubles = places(world), []
    for found in schema.get_all_operations():
        operation = found.ok()

        @BOUNDED
        @given(requests_of(operation, addresses))
        def hold(case):
            call(case, key)

        try:
            hold()
        except (Failure, FailureGroup) as trouble:
            troubles.append(f"{operation.label}: {trouble}")
    assert troubles == [], "\n\n".join(troubles)


def test_calls_that_follow_each_other_are_answered_as_they_are_described(schema, world, key):
    """What one call made is shown, changed and removed by the next ones."""

    class Workflow(schema.as_state_machine()):
        def setup(self):
            self.undone = transaction.atomic()
            self.undone.__enter__()

        def teardown(self):
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)

        def call(self, case, **kwargs):
            return ask(case, key)

        def validate_response(self, response, case, **kwargs):
            case.validate_response(response, checks=CHECKS)

    Workflow.run(settings=settings(BOUNDED, max_examples=2 * EXAMPLES, stateful_step_count=6))
