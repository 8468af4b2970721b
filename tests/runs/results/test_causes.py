import pytest

from runs.models import FailureGroup, Grade, Trial
from runs.results.causes import ERROR, GRADER, causes_of
from runs.results.trends import ended_runs
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


def failing(team, author, version, reasons):
    """A run of which each case failed for a reason; None makes it an error."""
    run = run_with(team, author, version, {"bot": ["e" if reason is None else "f" for reason in reasons]})
    for trial, reason in zip(Trial.objects.filter(run=run).order_by("case_position"), reasons, strict=True):
        if reason is None:
            Trial.objects.filter(pk=trial.pk).update(
                error="No reply after 30 s", fault="machine", stop_reason="timeout"
            )
        else:
            Grade.objects.filter(trial=trial).update(verdict="fail", score=0.0, reason=reason)
    return run


def causes(version):
    return causes_of(version.pack, list(ended_runs(version.pack)))


def test_failures_are_grouped_by_grader_and_what_it_said_over_runs(team, author, version):
    first = failing(team, author, version, ["expected 'hub', got 'a'", "expected 'hub', got 'b'", None])
    second = failing(team, author, version, ["expected 'hub', got 'c'", "The JSON could not be parsed", None])
    found = causes(version)
    assert [
        (group.kind, group.source, group.trials, group.runs, group.cases, group.agents) for group in found.groups
    ] == [
        (GRADER, "answer", 3, 2, 2, 1),
        (ERROR, "machine · timeout", 2, 2, 1, 1),
        (GRADER, "answer", 1, 1, 1, 1),
    ]
    assert found.total == 6
    assert {member.run for member in found.groups[0].members} == {first.pk, second.pk}
    assert found.groups[1].text == "No reply after <number> s"


def test_passed_and_undecided_trials_are_no_failures(team, author, version):
    run_with(team, author, version, {"bot": ["p", "u", "p"]})
    assert causes(version).groups == []


def test_the_first_grade_that_failed_says_why_and_not_one_that_passed(team, author, version):
    run = failing(team, author, version, ["wrong", "wrong", "wrong"])
    for trial in Trial.objects.filter(run=run):
        Grade.objects.create(trial=trial, position=7, key="later", kind="x", verdict="fail", reason="later")
        Grade.objects.filter(trial=trial, position=0).update(verdict="pass")
    assert [(group.source, group.text) for group in causes(version).groups] == [("later", "later")]


def test_a_name_stays_with_its_group_when_other_texts_get_more_frequent(team, author, version):
    failing(team, author, version, ["The answer names the wrong depot today", "x y z", "x y z"])
    group = next(group for group in causes(version).groups if "depot" in group.text)
    FailureGroup.objects.create(
        pack=version.pack, digest=group.digest, kind=group.kind, source=group.source, text=group.text, name="Depot"
    )
    failing(team, author, version, ["The answer names the wrong depots today"] * 3)
    found = causes(version)
    assert [(one.title, one.trials, one.digest) for one in found.groups if one.name] == [("Depot", 4, group.digest)]


def test_of_very_many_the_newest_are_grouped_and_the_rest_counted(team, author, version, monkeypatch):
    monkeypatch.setattr("runs.results.causes.MOST_FAILURES", 2)
    failing(team, author, version, ["a", "b", "c"])
    found = causes(version)
    assert (found.total, found.left_out) == (2, 1)
