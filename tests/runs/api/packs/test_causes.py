import pytest
from django.urls import reverse

from runs.models import Grade
from tests.runs.outcomes import run_with

pytestmark = pytest.mark.django_db


def test_it_gives_the_groups_with_their_counts(as_author, team, author, version):
    run_with(team, author, version, {"bot": ["f", "f", "p"]})
    Grade.objects.update(verdict="fail", reason="expected 'hub'")
    answer = as_author.get(reverse("runs-api:pack-failures", args=[version.pack_id])).json()
    assert (answer["set"], answer["failures"], answer["left_out"]) == ("default", 2, 0)
    (group,) = answer["groups"]
    assert (group["kind"], group["source"], group["text"]) == ("grader", "answer", "expected <text>")
    assert [group[name] for name in ("trials", "runs", "agents", "cases")] == [2, 1, 1, 2]
