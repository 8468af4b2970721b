from dataclasses import replace

from runs.grading.graders.evidence import build_evidence
from runs.grading.judges.probes import NEUTRAL, padded, padded_events, swapped
from runs.grading.scoring.judges import presentation_order
from tests.runs.grading.judges.benches import judged_task, ranking, rubric
from tests.runs.moments import event


def test_neutral_sentences_stand_after_an_answer_about_half_as_long_as_it():
    assert padded("It is at the hub.").startswith("It is at the hub.\n\n")
    long = "word " * 2000
    assert 1.45 < len(padded(long)) / len(long) < 1.6


def test_judges_see_the_longer_answer_and_the_stored_events_stay():
    events = [event(1, "system.run.started"), event(2, "system.run.completed", final_output="It is at the hub.")]
    evidence = build_evidence([], padded_events(events))
    assert evidence.resolve("final_output").text == padded("It is at the hub.")
    assert NEUTRAL[0] not in events[1]["payload"]["final_output"]


def test_pairs_and_rankings_are_shown_the_other_way_and_nothing_else_changes():
    pair, tone, best = replace(rubric("pair"), mode="pairwise"), rubric(), ranking()
    task = judged_task(pair, tone, best)
    assert swapped(swapped(task)) == task
    first, second, third = swapped(task).judges
    assert first.reference_first
    assert second == tone
    assert presentation_order("abc", third, 0, "seed") == presentation_order("abc", best, 0, "seed")[::-1]
