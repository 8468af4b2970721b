from runs.statistics import summarise_trials


def row(status, score=None, fault="", **dimensions):
    card = {"dimensions": {key: {"score": value} for key, value in dimensions.items()}, "warnings": ["w"]}
    return {"status": status, "fault": fault, "score": score, "scorecard": card}


def test_what_machine_or_pack_spoilt_says_nothing_about_the_agent():
    summary = summarise_trials(
        [
            row("passed", 1.0, correctness=1.0),
            row("failed", 0.0, correctness=0.5),
            row("error", fault="machine"),
            row("undecided"),
        ]
    )
    assert summary["pass_rate"] == 0.5
    assert summary["overall_score"] == 0.5
    assert summary["dimensions"] == {"correctness": 0.75}
    assert summary["statuses"] == {"passed": 1, "failed": 1, "error": 1, "undecided": 1}
    assert summary["faults"] == {"machine": 1}
    assert summary["warnings"] == ["w"]


def test_without_a_verdict_there_is_no_rate():
    summary = summarise_trials([row("error", fault="pack", correctness=None)])
    assert (summary["pass_rate"], summary["overall_score"]) == (None, None)
    assert summary["dimensions"] == {"correctness": None}
    assert summarise_trials([])["trials"] == 0
