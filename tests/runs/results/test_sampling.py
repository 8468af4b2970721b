import pytest

from runs.launch.launching import launch
from runs.models import Trial
from runs.results import sampling
from runs.results.charts import charts_of
from runs.results.measuring import collect
from runs.results.sampling import Sample
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_a_run_is_read_whole_unless_it_is_very_large(author, version, agents, monkeypatch, as_author):
    run = work_off(launch(author, version, [agents["echo"]]))
    assert str(Sample.of(run)) == ""
    assert len(collect(run)[run.agents.get().pk].values["success"]) == 3
    monkeypatch.setattr(sampling, "MOST", 2)
    monkeypatch.setattr(sampling, "LEAST_CASES", 1)
    sample = Sample.of(run)
    assert sample.every == 2
    assert list(sample.rows(Trial.objects.filter(run=run)).values_list("case_position", flat=True)) == [0, 2]
    assert len(collect(run)[run.agents.get().pk].values["success"]) == 2
    assert any("one case in 2" in chart.about for chart in charts_of(run))
    assert "one case in 2" in as_author.get(f"/runs/{run.pk}/metrics/").content.decode()
    assert as_author.get(f"/api/v1/runs/{run.pk}/metrics/").json()["one_case_in"] == 2
