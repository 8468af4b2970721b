"""Review queues, for tests."""

from runs.grading.graders.own_rubrics import read_rubric
from runs.launch.launching import launch
from runs.models import Agent, ReviewRequest
from runs.results.queues import Choice, Wanted, make_queue
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

RIGHT = {"name": "Right?", "kind": "yes_no", "passing": ["yes"]}
TONE = {"name": "Tone", "kind": "scale", "least": 1, "best": 5}
CAUSE = {"name": "Cause", "kind": "label", "labels": ["none", "tool", "facts"]}


def begin_run(team, user, cases=4, answer="It is at the hub.", slug="parcels"):
    """A run of a challenge pack that has ended, whose agent says the same to everything."""
    config = {"default": {"output": answer}}
    agent = Agent.objects.create(team=team, name=f"agent of {slug}", kind="scripted", config=config)
    version = publish_text(team, user, pack_text({"default": cases}, slug=slug), slug)
    return work_off(launch(user, version, [agent]))


def queue_of(run, author, *rows, name="Check", needed=1, people=None, **choice):
    """A queue with all trials of a run, unless a choice says otherwise."""
    rubric = read_rubric(rows or [RIGHT])
    return make_queue(run, author, Wanted(name, rubric, Choice(**choice), needed, people or {}))


def asked_in(queue):
    return list(ReviewRequest.objects.filter(queue=queue).order_by("pk"))
