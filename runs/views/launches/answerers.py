"""Who answers for the models that a version names, as choices of the launch page."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.http import QueryDict

from packs.formats.task import Task
from packs.models import PackVersion, Team
from runs.engine.conversation.script import LLM, ROLE, Script
from runs.grading.graders import MODELS
from runs.launch.planning import first_tasks
from runs.models import Connection, Run
from runs.models.answerers import find_answerer

# Fields of the form: this and the pack's name of a model; the value is the id of a connection, a slash, and its name
# for the model.
PREFIX = "answer:"
MAX_CHOICES = 500

Answers = tuple[tuple[str, str], ...]


def read_answers(data: QueryDict) -> Answers:
    """What a form chooses: the pack's name of a model with the value of its field, empty ones left out."""
    given = [(name.removeprefix(PREFIX)[:200], data.get(name, "")[:400]) for name in data if name.startswith(PREFIX)]
    return tuple(sorted((name, value) for name, value in given if value))


def as_connections(answers: Answers) -> dict[str, Any]:
    """The same in the shape of `Run.connections`."""
    split = {name: value.partition("/") for name, value in answers}
    return {name: {"connection": pk, "model": model or name} for name, (pk, _, model) in split.items()}


def as_answers(connections: Mapping[str, Any]) -> Answers:
    """The choices of an earlier run."""
    return tuple(sorted((name, f"{choice['connection']}/{choice['model']}") for name, choice in connections.items()))


def chosen_answers(run: Run) -> list[dict[str, str]]:
    """Who was chosen to answer when a run was started; the connection is empty where it was removed since."""
    names = dict(Connection.objects.filter(team=run.team_id).values_list("pk", "name")) if run.connections else {}
    return [
        {"name": name, "model": choice["model"], "connection": names.get(choice["connection"], "")}
        for name, choice in run.connections.items()
    ]


def model_cards(version: PackVersion, answers: Answers, run: Run | None = None) -> list[dict[str, Any]]:
    """The models that a version names, what for, who answers, and who else could.

    Where a `run` is scored again these are the models of graders and judges, and who answered in the run answers.
    """
    needed = dict(needed_models(version) if run is None else judging_models(version))
    if not needed:
        return []
    team, chosen, usual = version.pack.team, dict(answers), run.connections if run else {}
    choices = list(answer_choices(team))
    return [
        {
            "name": name,
            "uses": uses,
            "is_role": name == ROLE,
            "usual": find_answerer(team, usual, name),
            "chosen": chosen.get(name, ""),
            "choices": choices,
        }
        for name, uses in needed.items()
    ]


def needed_models(version: PackVersion) -> Iterator[tuple[str, list[str]]]:
    """Each model that the version's cases name, with what it is for; of many cases the first ones are asked."""
    return collected(use for task in first_tasks(version) for use in (*judging_uses(task), *playing_uses(task)))


def judging_models(version: PackVersion) -> Iterator[tuple[str, list[str]]]:
    """The same without models that play users."""
    return collected(use for task in first_tasks(version) for use in judging_uses(task))


def collected(uses: Iterable[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """Each model once, with all that it is for."""
    found: dict[str, dict[str, None]] = {}
    for model, use in uses:
        found.setdefault(model, {})[use] = None
    yield from ((model, list(reported)) for model, reported in found.items())


def judging_uses(task: Task) -> Iterator[tuple[str, str]]:
    """The models that judge, and what for."""
    for judge in task.judges:
        yield from ((model, f"judge {judge.key}") for model in judge.models)
    for spec in task.graders:
        yield from ((model, f"grader {spec.key}") for model in (MODELS[spec.kind](spec) if spec.kind in MODELS else ()))


def playing_uses(task: Task) -> Iterator[tuple[str, str]]:
    """The models that play users, and where."""
    for phase in Script.read(task.conversation).playable(LLM) if task.conversation else ():
        yield phase.model or ROLE, f"user in phase {phase.key}"


def answer_choices(team: Team) -> Iterator[tuple[str, str]]:
    """Every model of the team's active connections: value of the field, and what it is called."""
    count = 0
    for connection in Connection.objects.active().filter(team=team):
        for model in connection.model_names:
            if count < MAX_CHOICES:
                yield f"{connection.pk}/{model}", f"{model} · {connection.name}"
            count += 1
