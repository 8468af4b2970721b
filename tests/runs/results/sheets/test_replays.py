import pytest

from runs.launch.launching import launch
from runs.models import Agent, Trial
from runs.replay.redaction import MARK, Redactor
from runs.results.sheets.replays import replay_sheet
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db
SECRET = "sk-Zx81-very-secret-key-0042"


@pytest.fixture
def trial(team, author, version):
    called = {"tool_name": "search", "arguments": {"of": "<b>lamp</b>"}, "error": f"Refused {SECRET}"}
    events = [{"type": "tool.call.failed", "payload": called}]
    config = {"default": {"output": "</pre><script>alert(1)</script>", "events": events}}
    agent = Agent.objects.create(team=team, name="bot", kind="scripted", config=config)
    run = work_off(launch(author, version, [agent]))
    return Trial.objects.select_related("run__version__pack", "run_agent").filter(run=run).first()


def test_it_shows_every_step_with_what_was_recorded_and_the_band_of_steps(trial):
    page = replay_sheet(trial, Redactor())
    assert "search(&quot;&lt;b&gt;lamp&lt;/b&gt;&quot;)" in page
    assert "(trouble)" in page
    assert page.count("<li>") > 3
    assert "with trouble" in page
    assert "<script" not in page


def test_secrets_are_cut_out_of_what_was_recorded(trial):
    page = replay_sheet(trial, Redactor([SECRET]))
    assert SECRET not in page
    assert f"Refused {MARK}" in page


def test_of_a_long_replay_the_first_steps_are_on_the_page(trial, monkeypatch):
    monkeypatch.setattr("runs.results.sheets.replays.MOST_STEPS", 2)
    page = replay_sheet(trial, Redactor())
    assert page.count("<li>") == 2
    assert "more steps are left out" in page
