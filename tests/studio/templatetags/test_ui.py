import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone
from django.utils.safestring import mark_safe

from packs.models import PackStatus, VersionStatus
from runs.models import Run, RunStatus, Trial, TrialStatus
from runs.statistics.estimates import PassEstimate, ScoreEstimate
from studio.templatetags.ui import (
    STATUSES,
    actor,
    age,
    ago,
    bar,
    chip,
    icon,
    joint_chip,
    percent,
    problems,
    run_title,
    spaced,
    trial_chip,
)

SOURCES = Path(settings.BASE_DIR) / "static" / "src"
TEMPLATES = Path(settings.BASE_DIR) / "templates"


@pytest.mark.parametrize("choices", [RunStatus, TrialStatus, PackStatus, VersionStatus])
def test_every_status_has_a_look_of_its_own(choices):
    assert set(choices.values) <= set(STATUSES)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Run 2026-11-21T11:58:21+00:00", "Run 7"),
        ("Run 2026-11-21 by hand", "Run 2026-11-21 by hand"),
        ("Nightly", "Nightly"),
        ("Imported 2026-11-21T15:45:37+00:00", "Imported run 7"),
    ],
)
def test_a_run_that_nobody_named_goes_by_its_number(name, title):
    assert run_title(Run(pk=7, name=name)) == title
    assert run_title({"id": 7, "name": name}) == title


def test_failed_and_error_never_look_the_same():
    assert STATUSES["failed"].tones != STATUSES["error"].tones
    assert STATUSES["failed"].icon != STATUSES["error"].icon


def test_a_status_is_shown_by_its_look():
    look = STATUSES["failed"]
    shown = chip("failed")
    assert all(f"chip--{tone}" in shown for tone in look.tones)
    assert f">{look.word}<" in shown
    assert look.icon in shown
    assert ">By hand<" in chip("failed", "By hand")


def test_a_status_without_a_look_is_shown_as_text():
    assert ">Some state<" in chip("some_state")
    assert "&lt;b&gt;" in chip("<b>")


# The name of an icon, where a tag draws it: alone, before a title, or after the words or the tone.
DRAWN = re.compile(r'{% (?:icon|blank|(?:submit|button_to|notice|note) "[^"]*") "([a-z0-9-]+)"')


def test_every_icon_in_use_is_in_the_sprite():
    known = set((SOURCES / "icons.txt").read_text().split())
    used = {look.icon for look in STATUSES.values()}
    for template in TEMPLATES.rglob("*.html"):
        used |= set(DRAWN.findall(template.read_text()))
    assert used - known == set()


def test_an_icon_is_decoration_unless_it_has_a_label():
    assert 'aria-hidden="true"' in icon("x")
    assert 'aria-label="Close"' in icon("x", "Close")


def test_the_label_of_an_icon_is_text_even_where_markup_of_the_same_letters_was_drawn_before():
    assert "<b>" in icon("x", mark_safe("<b>"))
    assert "&lt;b&gt;" in icon("x", "<b>")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "just now"),
        (-5, "just now"),
        (59, "59 s ago"),
        (60, "1 min ago"),
        (7200, "2 h ago"),
        (86_400, "1 d ago"),
        (40 * 86_400, "1 mo ago"),
        (800 * 86_400, "2 y ago"),
    ],
)
def test_ages_are_told_in_the_largest_unit_that_fits(seconds, words):
    assert age(seconds) == words


def test_a_moment_keeps_its_exact_time_and_never_is_a_dash():
    moment = timezone.now() - timedelta(hours=3)
    assert f'datetime="{moment.isoformat()}"' in ago(moment)
    assert ago(None) == "–"


def test_a_bar_says_in_words_what_it_draws():
    drawn = bar({"passed": 3, "failed": 1}, 4)
    assert 'aria-label="3 passed, 1 failed of 4"' in drawn
    assert 'width="75.000"' in drawn


def test_a_bar_of_nothing_is_no_error():
    assert "nothing yet" in bar({}, 0)


@pytest.mark.parametrize(
    ("share", "tone"), [(1.0, "green"), (0.8, "green"), (0.79, "amber"), (0.5, "amber"), (0.49, "red")]
)
def test_shares_have_bands(share, tone):
    assert f"share--{tone}" in percent(share)


@pytest.mark.parametrize("missing", [None, ""])
def test_no_share_is_a_dash(missing):
    assert "–" in percent(missing)


@pytest.mark.parametrize(
    ("share", "said"), [(1, ">100 %"), (0.999, "&gt; 99 %"), (0.993, ">99 %"), (0.002, "&lt; 1 %"), (0, ">0 %")]
)
def test_all_and_nothing_are_said_only_where_they_are_meant(share, said):
    assert said in percent(share)


@pytest.mark.parametrize(
    ("errors", "warnings", "word"), [(1, 3, "1 error"), (2, 0, "2 errors"), (0, 1, "1 warning"), (0, 0, "Valid")]
)
def test_errors_come_before_warnings(errors, warnings, word):
    assert f">{word}<" in problems(errors, warnings)


def test_kinds_of_node_are_read_as_words():
    assert spaced("input_set") == "input set"


@pytest.mark.parametrize(
    ("trial", "word"),
    [
        ({"status": "error", "fault": "machine"}, "Error: machine"),
        ({"status": "error", "fault": "pack"}, "Error: pack"),
        ({"status": "failed", "fault": "agent", "stop_reason": "tool_limit"}, "Failed: limit of tool calls"),
        ({"status": "failed", "fault": "agent", "stop_reason": "provider_error"}, "Failed"),
        ({"status": "cancelled", "stop_reason": "trial_cost_limit"}, "Not tried: cost limit"),
        ({"status": "cancelled", "stop_reason": "cancelled"}, "Cancelled"),
        ({"status": "passed"}, "Passed"),
    ],
)
def test_a_trial_says_whose_trouble_it_had_and_at_which_limit_it_ended(trial, word):
    assert f">{word}<" in trial_chip(Trial(**trial))


@pytest.mark.parametrize(
    ("states", "word"),
    [
        (("passed", "passed"), "pass^2: 2 of 2"),
        (("passed", "failed"), "pass^2: 1 of 2, flaky"),
        (("passed", "error"), "pass^2: open, 1 of 1"),
        (("error", "error"), "pass^2: open"),
    ],
)
def test_what_trials_say_together_tells_their_rule_and_their_number(states, word):
    assert f">{word}<" in joint_chip(PassEstimate("pass^k", 2, states))


def test_what_scores_say_together_tells_the_score_and_of_how_many_trials_it_is():
    joint = ScoreEstimate("mean", 2, 0.8, (("passed", 1.0), ("failed", 0.5)))
    assert ">mean: 0.75 of 2, flaky<" in joint_chip(joint)


def test_who_plays_the_user_is_told_in_words_and_unknown_names_as_they_are():
    assert [actor(name) for name in ("llm", "human", "parrot")] == ["a model", "a person", "parrot"]
