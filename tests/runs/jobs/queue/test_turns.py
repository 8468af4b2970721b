from runs.engine.conversation.waiting import Wait
from runs.jobs.queue.turns import ask_people, forget_turns, kept_events, resumption_of, resumptions_of
from runs.jobs.tasks import execute_trials
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


def test_what_is_asked_can_be_stored_whatever_the_pack_says_and_the_files_come_back(author, team, agents):
    run = begin(author, team, agents["echo"], scripted("open", "Hello"), person())
    trial, files = only_trial(run), {"a/b.bin": b"\x00\xff"}
    forget_turns([trial.pk])
    ask_people([(trial, trial.event_count, Wait(1, "press\0" * 99, "Is it \0?", 60, files))])
    turn = only_turn(run)
    assert (len(turn.phase_id), "\0" in turn.phase_id, turn.hint) == (255, False, "Is it ␀?")
    assert resumptions_of([trial])[trial.pk].files == files


def test_the_time_of_a_turn_begins_when_it_is_asked(author, team, agents):
    run = begin(author, team, agents["echo"], person(timeout_ms=90_000))
    turn = only_turn(run)
    assert (turn.due_at - turn.asked_at).total_seconds() == 90


def test_a_trial_goes_on_from_the_last_of_its_turns(author, team, agents):
    run = begin(author, team, agents["echo"], person(), person(id="again"))
    answer(only_turn(run), author, "First")
    execute_trials(run.pk)
    trial = only_trial(run)
    first, second = trial.human_turns.order_by("sequence")
    assert kept_events([trial.pk]) == {trial.pk: second.sequence}
    again = resumptions_of([trial])[trial.pk]
    assert (again.turn, again.answer) == (second.turn_index, None)
    assert len(resumption_of(first).events) == first.sequence < second.sequence == len(again.events)
