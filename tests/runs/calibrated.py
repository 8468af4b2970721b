"""Runs whose trials a judge and people judged, for tests."""

from packs.publish import publish
from runs.jobs.scores.reviewing import review
from runs.launch.launching import Options, launch
from runs.models import Agent, ReviewRequest
from tests.runs.connections import make_connection
from tests.runs.grading.judges.benches import scores
from tests.runs.suites import publish_suite, task
from tests.runs.working import work_off

JUDGED = {"type": "model_rubric", "rubric": "How kind the answer is.", "scoring": {"pass_threshold": 3.0}}
PEOPLE = {"type": "human_review", "assertions": ["It is kind."], "critical": False}
GIVEN = {"p": 4, "f": 1}


def judged_suite(team, user, slug="suite"):
    """A version with one task that a judge and people look at."""
    return publish_suite(team, user, task("open_ended", "be-kind_1", graders=[JUDGED, PEOPLE]), slug=slug)


def again(version, user):
    """The next version of the same pack."""
    version.pack.refresh_from_db()
    return publish(version.pack, user, number=version.number + 1)


def calibrated_run(version, user, model_server, pairs):
    """A run with a trial for each pair, such as `pf`: people pass it, and the judge fails it. `?` is not reviewed."""
    team = version.pack.team
    if not team.connections.exists():
        make_connection(team, model_server, model_list=[{"name": "judge"}])
    agent, _ = Agent.objects.get_or_create(
        team=team, name="kind", defaults={"kind": "scripted", "config": {"default": {"output": "It is done."}}}
    )
    model_server.script([scores(GIVEN[judge]) for _, judge in pairs])
    run = work_off(launch(user, version, [agent], Options(trials=len(pairs))))
    waiting = {"pass": [], "fail": []}
    for request in ReviewRequest.objects.filter(trial__run=run).select_related("trial"):
        details = request.trial.scorecard["validator_details"]
        waiting[next(each["verdict"] for each in details if each["type"] == "suite.model_rubric")].append(request)
    for people, judge in pairs:
        request = waiting["pass" if judge == "p" else "fail"].pop()
        if people != "?":
            review(request, user, {"assertion 1": GIVEN[people]})
    return run
