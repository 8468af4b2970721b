import random
from difflib import get_close_matches

import pytest

from packs.formats import adapter_of
from packs.formats.advice import did_you_mean, slip_of


def test_the_known_name_that_is_most_like_another_is_named():
    assert did_you_mean("instruction", ["title", "instructions", "structure"], "Ask.") == "Did you mean instructions?"


@pytest.mark.parametrize("name", ["", "colour", "instructions" * 20])
def test_without_one_that_is_like_it_other_advice_is_given(name):
    assert did_you_mean(name, ["title", "instructions"], "Ask.") == "Ask."


@pytest.mark.parametrize(
    ("name", "meant"),
    [("treshold", "threshold"), ("cuont", "count"), ("skipDefaults", "skip_defaults"), ("tool_call_id", "")],
)
def test_a_slip_has_two_other_letters_at_most(name, meant):
    assert slip_of(name, ("threshold", "count", "skip_defaults", "tool_calls")) == meant


def test_the_quick_look_at_letters_leaves_out_no_name_that_is_close():
    choice = random.Random(7)
    known = ["".join(choice.choices("abcde", k=choice.randint(1, 9))) for _ in range(40)]
    names = ["".join(choice.choices("abcdefg", k=choice.randint(0, 9))) for _ in range(500)]
    close = {name: get_close_matches(name, known, n=1, cutoff=0.7) for name in names}
    assert {name: did_you_mean(name, known, "") for name in names} == {
        name: f"Did you mean {found[0]}?" if found else "" for name, found in close.items()
    }
    assert 50 < sum(map(bool, close.values())) < 450


# A slip of a known key in the main file of a format, and what was meant; test_misspelt.py tries those of all mappings.
SLIPS = {
    "challenge_pack": ("pack.yaml", "pack: {slug: a, name: A, family: f}\nversion: {}\nchalenges: []\n", "challenges"),
    "benchmark_pack": ("manifest.yaml", "id: a\nversion: 1\ndefault: {}\n", "defaults"),
    "task_suite": (
        "evals/golden/a_1.yaml",
        "task_id: a_1\nsuite: golden\ninputs: {user_message: Hi.}\ngrader: []\n",
        "graders",
    ),
    "agentv": ("a.eval.yaml", "name: a\ntests: [{id: b, input: Hi., assertion: [x]}]\n", "assertions"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_format_names_the_key_that_was_meant(name):
    file, text, meant = SLIPS[name]
    adapter = adapter_of(name)
    files = {file: text.encode()}
    if name == "benchmark_pack":
        files["tasks.jsonl"] = b""
    pack, found = adapter.load(files)
    told = [*found, *(adapter.check(pack) if pack is not None else ())]
    assert f"Did you mean {meant}?" in {finding.hint for finding in told}
