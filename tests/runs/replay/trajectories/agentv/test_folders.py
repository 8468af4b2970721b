from runs.replay.trajectories.agentv.folders import record_of


def test_a_trial_that_broke_without_a_word_comes_in_as_one_that_broke():
    row = {"test_id": "a", "execution_status": "execution_error", "error": "It broke.", "cost_usd": 0.5}
    record = record_of(row, [], "run")
    assert (record["task_id"], record["output"]) == ("a", None)
    supplied, end = record["events"][-2:]
    assert supplied["payload"] == {"cost_usd": 0.5}
    assert (end["event_type"], end["payload"]["error"]) == ("system.run.failed", "It broke.")
