from packs.formats.benchmark_pack.families import EVALUATION, HIDDEN, label_of, lane_of


def test_what_is_not_known_is_hidden():
    assert lane_of("terminal_task", "checker") == EVALUATION
    assert lane_of("terminal_task", "expected_state") == HIDDEN
    assert lane_of("multiple_choice", "tests") == HIDDEN
    assert lane_of("house_rules", "tests") == HIDDEN


def test_a_family_without_words_is_called_by_its_name():
    assert (label_of("repo_patch"), label_of("house_rules")) == ("Repository patch", "house_rules")
