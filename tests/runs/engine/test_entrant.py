from tests.runs.tasks import make_task, payload, run


def test_a_trial_is_told_whom_it_tries_where_the_agent_has_a_name():
    _, events = run(make_task(), name="with-skills")
    assert payload(events, "system.run.started")["agent_name"] == "with-skills"
    _, events = run(make_task())
    assert "agent_name" not in payload(events, "system.run.started")
