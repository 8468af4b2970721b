"""A sample of task suites with a model that answers for its judge."""

import pytest

from packs.access import Role
from packs.formats.archives import read_path
from packs.importing import import_pack
from packs.importing.samples import SAMPLES
from packs.publish import publish
from runs.launch.launching import Options, launch
from tests.people import make_member
from tests.runs.connections import make_connection
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


LETTER = "evals/open_ended/lost-book-letter_1.yaml"
RUBRIC = b"""\
  - type: model_rubric
    rubric_paths:
      - "../_shared/rubrics/output_quality.md"
    assertions:
      - The letter names both ways to settle the matter
    scoring:
      weights:
        output_quality: 0.7
        safety_policy: 0.3
      pass_threshold: 3.0
  - type: human_review
"""


@pytest.fixture
def letter(team, curator):
    return publish_letter(team, curator)


def publish_letter(team, curator):
    """The sample with a letter that a model judges as well."""
    files, _ = read_path(SAMPLES / "reading-room")
    judged = files[LETTER].replace(b"  - type: human_review\n", RUBRIC)
    return publish(import_pack(team, curator, {**files, LETTER: judged}, "reading-room"), curator)


def replies(score, truth):
    def answer(request):
        is_assertion = "assertion" in request["messages"][1]["content"].partition("\n")[0]
        return f'{{"pass": {truth}}}' if is_assertion else f'{{"score": {score}}}'

    return answer


@pytest.mark.parametrize(
    ("score", "truth", "status"), [(4, "true", "passed"), (2, "true", "failed"), (4, "false", "failed")]
)
def test_a_rubric_is_judged_by_the_connection_that_lists_the_judge(
    team, curator, letter, agents, model_server, local_endpoints, score, truth, status
):
    make_connection(team, model_server, model_list=[{"name": "judge"}])
    model_server.answer = replies(score, truth)
    run = work_off(launch(curator, letter, [agents["reference"]], Options(input_set="open_ended", trials=1)))
    trial = run.trials.get()
    assert trial.status == status
    judges = trial.scorecard["llm_judge_details"]
    told = ("output_quality", "safety_policy", "assertion 1")
    assert [judge["judge_key"] for judge in judges] == [f"model_rubric/{name}" for name in told]
    assert len(model_server.requests) == 3


def test_somebody_can_be_chosen_to_answer_for_the_judge(team, curator, letter, agents, model_server, local_endpoints):
    connection = make_connection(team, model_server, model_list=[{"name": "large"}])
    model_server.answer = replies(4, "true")
    chosen = {"judge": {"connection": connection.pk, "model": "large"}}
    options = Options(input_set="open_ended", trials=1, connections=chosen)
    run = work_off(launch(curator, letter, [agents["reference"]], options))
    assert run.trials.get().status == "passed"
    assert {request["model"] for request in model_server.requests} == {"large"}


def test_without_anybody_to_ask_the_trial_is_an_error_that_says_so(curator, letter, agents):
    run = work_off(launch(curator, letter, [agents["reference"]], Options(input_set="open_ended", trials=1)))
    trial = run.trials.get()
    assert (trial.status, trial.fault) == ("error", "machine")
    assert "judge" in trial.error
