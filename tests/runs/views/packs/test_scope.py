import pytest
from django.urls import reverse

from runs.launch.launching import Options, launch
from runs.models import Agent
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_the_input_set_of_the_newest_run_is_shown_unless_another_is_asked_for(as_author, team, author, sets_version):
    agent = Agent.objects.create(team=team, name="a", kind="echo")
    small, large = (
        work_off(launch(author, sets_version, [agent], Options(input_set=key))) for key in ("small", "large")
    )
    url = reverse("runs:trends", args=[team.slug, sets_version.pack.slug])
    assert [run.pk for run in as_author.get(url).context["runs"]] == [large.pk]
    assert [run.pk for run in as_author.get(url, {"set": "small"}).context["runs"]] == [small.pk]
    assert [run.pk for run in as_author.get(url, {"set": "gone"}).context["runs"]] == [large.pk]


def test_a_pack_without_runs_says_so(as_author, team, version):
    answer = as_author.get(reverse("runs:trends", args=[team.slug, version.pack.slug]))
    assert "No results yet" in answer.content.decode()
