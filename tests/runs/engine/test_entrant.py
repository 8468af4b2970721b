from runs.agents import AGENTS
from runs.engine.entrant import Entrant
from runs.engine.outcome import Ending
from runs.tools.redaction import Redactor
from tests.runs.tasks import make_task, payload, run


def test_the_end_of_a_trial_tells_no_secret():
    entrant = Entrant(AGENTS["echo"], "echo", redactor=Redactor(["sk-very-secret"]))
    ending = entrant.clear(Ending(error="refused sk-very-secret", facts={"seen": ["sk-very-secret"]}))
    assert "sk-very-secret" not in f"{ending.error}{ending.facts}"


def test_a_trial_is_told_whom_it_tries_where_the_agent_has_a_name():
    _, events = run(make_task(), name="with-skills")
    assert payload(events, "system.run.started")["agent_name"] == "with-skills"
    _, events = run(make_task())
    assert "agent_name" not in payload(events, "system.run.started")
