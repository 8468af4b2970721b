import pytest

from runs.launch.launching import Options, launch
from runs.models import Agent, Trial
from runs.results.parting import partings, passed_beside
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def call(name, answer="found", **arguments):
    payload = {"tool_name": name, "arguments": arguments, "result": {"content": answer}}
    return {"type": "tool.call.completed", "payload": payload}


def reply(words):
    return {"type": "model.call.completed", "payload": {"output_text": words}}


BROKEN = {"type": "tool.call.failed", "payload": {**call("price")["payload"], "error": "No such item"}}
PASSED = [reply("Let me look."), call("search", of="lamp"), call("price", of="lamp")]


@pytest.fixture
def trial_of(team, author):
    version = publish_text(team, author, pack_text({"default": 1}))

    def make(events):
        config = {"default": {"output": "hub", "events": events}}
        agent = Agent.objects.create(team=team, name=f"a{Agent.objects.count()}", kind="scripted", config=config)
        return work_off(launch(author, version, [agent], Options())).trials.get()

    return make


@pytest.mark.parametrize(
    ("events", "source", "said"),
    [
        ([*PASSED[:1], call("browse"), PASSED[2]], "browse", "browse in place of search"),
        ([*PASSED[:1], PASSED[2]], "search", "without search"),
        ([*PASSED, call("order")], "order", "order in addition"),
        ([*PASSED[:1], call("search", of="sofa"), PASSED[2]], "search", "search with other input"),
        ([*PASSED[:1], call("search", "none", of="lamp"), PASSED[2]], "search", "search with another result"),
        ([*PASSED[:2], BROKEN], "price", "price fails"),
        ([reply("Hm."), call("browse"), PASSED[2]], "browse", "browse in place of search"),
        ([reply("Hm."), *PASSED[1:]], "the model", "the model with other input"),
    ],
)
def test_the_first_step_that_differs_is_named(trial_of, events, source, said):
    passed, failed = trial_of(PASSED), trial_of(events)
    found = partings([(failed.pk, passed.pk)])[failed.pk]
    assert (found.source, found.said) == (source, said)


def test_a_call_that_fails_where_it_did_not_is_said_to_fail(trial_of):
    broken = {"type": "tool.call.failed", "payload": {**PASSED[2]["payload"], "error": "No such item"}}
    passed, failed = trial_of(PASSED), trial_of([*PASSED[:2], broken])
    assert partings([(failed.pk, passed.pk)])[failed.pk].said == "price fails"


def test_what_graders_do_is_not_a_step_that_differs(trial_of):
    passed, failed = trial_of(PASSED), trial_of(PASSED)
    assert partings([(failed.pk, passed.pk)]) == {}


def test_the_newest_trial_that_passed_a_case_is_found(trial_of):
    trials = [trial_of(PASSED) for _ in range(2)]
    case = (trials[0].challenge_key, trials[0].case_key)
    Trial.objects.update(status="passed")
    runs = [trial.run_id for trial in trials]
    assert passed_beside(runs, {case, ("none", "none")}) == {case: trials[1].pk}
