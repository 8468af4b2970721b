from runs.jobs.queue.turns import forget_turns, kept_events, resumptions_of
from runs.jobs.trials.answering import answer
from tests.runs.conversations import begin, only_trial, only_turn
from tests.runs.engine.conversation.stage import person, scripted


def test_events_until_the_wait_are_kept_and_told_again_with_the_answer(author, team, agents):
    run = begin(author, team, agents["echo"], scripted("open", "Hello"), person())
    trial = only_trial(run)
    assert kept_events([trial.pk]) == {trial.pk: trial.event_count}
    silent = resumptions_of([trial])[trial.pk]
    assert (silent.answer, silent.turn, silent.phase, len(silent.events)) == (None, 1, "agent", trial.event_count)
    answer(only_turn(run), author, "")
    assert resumptions_of([trial])[trial.pk].answer == ""
    forget_turns([trial.pk])
    assert resumptions_of([trial]) == {}
