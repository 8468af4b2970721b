"""A judge that people disagree with too often is marked wherever its scores stand."""

import io
import json
import zipfile

import pytest
from django.urls import reverse

from runs.jobs.gating.checks import judge, keep
from runs.models import JudgeStandard
from runs.results.exporting import EXPORTS
from tests.runs.calibrated import calibrated_run, judged_suite

pytestmark = pytest.mark.django_db
SAYING = "People often disagree with a judge of this pack"


@pytest.fixture
def run(team, administrator, model_server, local_endpoints):
    version = judged_suite(team, administrator)
    return calibrated_run(version, administrator, model_server, ["pp"] * 4 + ["ff"] * 2 + ["fp"] * 3 + ["pf"])


def exported(run, kind):
    return b"".join(EXPORTS[kind][0](run)).decode()


def told_in_folder(run):
    """What a run folder of AgentV says of the judge of each trial."""
    with zipfile.ZipFile(io.BytesIO(b"".join(EXPORTS["agentv"][0](run)))) as archive:
        index = next(name for name in archive.namelist() if name.endswith("index.jsonl"))
        rows = [json.loads(line) for line in archive.read(index).splitlines()]
    assert len(rows) == run.trials.count()
    return [
        score["details"]["doubtful_judge"] for row in rows for score in row["scores"] if score["name"] == "model_rubric"
    ]


def test_its_mark_stands_on_every_page_and_in_exports(run, as_administrator, administrator, model_server):
    other = calibrated_run(run.version, administrator, model_server, ["?p"])
    check = keep(judge(run, "nightly"), administrator)
    places = [
        reverse("runs:show", args=[run.pk]),
        f"{reverse('runs:compare')}?ids={run.pk},{other.pk}",
        reverse("runs:gate-check", args=[check.pk]),
    ]
    trial = reverse("runs:trial", args=[run.trials.first().pk])
    for place in places:
        assert SAYING in as_administrator.get(place).content.decode(), place
    assert "people disagree" in as_administrator.get(trial).content.decode()
    summary = as_administrator.get(reverse("runs-api:run-summary", args=[run.pk])).json()
    (said,) = summary["doubtful_judges"]
    assert (said["judge"], said["trials"], said["least"]) == ("model_rubric", 10, 0.6)
    assert json.loads(exported(run, "json"))["run"]["doubtful_judges"] == [said]
    assert json.loads(exported(run, "jsonl").splitlines()[0])["doubtful_judges"] == [said]
    assert '<property name="doubtful_judge" value="model_rubric: kappa 0.' in exported(run, "junit")
    assert "People often disagree with the judge model_rubric" in exported(run, "html")
    (grade,) = (
        each for each in json.loads(exported(run, "traces").splitlines()[0])["graders"] if each["id"] == said["judge"]
    )
    assert "(Doubtful judge: kappa 0." in grade["reason"]
    assert [told[:8] for told in told_in_folder(run)] == ["kappa 0."] * run.trials.count()

    JudgeStandard.objects.create(pack=run.version.pack, least_kappa=0.1)
    for place in (*places, trial):
        text = as_administrator.get(place).content.decode()
        assert SAYING not in text
        assert "people disagree" not in text
    assert "doubtful_judges" not in json.loads(exported(run, "jsonl").splitlines()[0])
