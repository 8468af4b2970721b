"""Tasks and trials for tests of the engine, made without any format."""

from packs.formats.task import (
    Budgets,
    Dimension,
    Environment,
    EvidenceCase,
    GraderSpec,
    Scoring,
    Task,
)
from runs.agents import AGENTS
from runs.engine.entrant import Entrant
from runs.engine.given import grade_given
from runs.engine.rooms import without_assets
from runs.engine.trial import run_trial
from runs.sandbox import SANDBOXES


def make_task(
    *,
    mode="native",
    expected="hub",
    kind="contains",
    target="final_output",
    budgets=None,
    environment=None,
    conversation=None,
    reference="It is at the hub.",
    threshold=1.0,
    case_key="one",
    **more,
):
    """A task whose final output must contain the word hub."""
    return Task(
        format="test",
        challenge_key="locate",
        input_set_key="default",
        case_key=case_key,
        title="Locate",
        prompt="Where is it?",
        visible={},
        hidden={},
        evidence=EvidenceCase({}),
        environment=environment or Environment(mode=mode),
        graders=more.pop("graders", (GraderSpec("answer", kind, target, f"literal:{expected}"),)),
        scoring=Scoring(dimensions=(Dimension("correctness", "validators"),), pass_threshold=threshold),
        budgets=budgets or Budgets(),
        conversation=conversation,
        reference=reference,
        **more,
    )


def run(task, kind="echo", config=None, sandbox=SANDBOXES["local"], name="", **more):
    """The outcome of a trial of an agent, which may have a name, and its events."""
    events = []
    outcome = run_trial(task, Entrant(AGENTS[kind], kind, config or {}, name=name), sandbox, events.append, **more)
    return outcome, events


def grade(task, output, recorded=()):
    """The outcome of what was made elsewhere, and its events."""
    events = []
    return grade_given(task, output, recorded, SANDBOXES["local"], without_assets, emit=events.append), events


def types(events):
    return [event["event_type"] for event in events]


def payload(events, event_type):
    """The payload of the only event of a type."""
    [found] = [event["payload"] for event in events if event["event_type"] == event_type]
    return found
