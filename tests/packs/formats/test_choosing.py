"""More packs than one among the files."""

import pytest

from packs.formats.checking import check_files
from packs.formats.choosing import NOT_HERE, SEVERAL, choose, packs_in

PACK = b"pack: {slug: one}\nversion: {number: 1}\nchallenges: []\ninput_sets: []\n"
MANIFEST = b"name: rows\nversion: 1\n"
SUITE = b"tests: [{id: a, input: Hi, criteria: C}]\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"one.yaml": PACK, "two.yaml": PACK, "notes.md": b""}, ["one.yaml", "two.yaml"]),
        ({"a/pack.yaml": PACK, "b/pack.yaml": PACK}, ["a", "b"]),
        ({"README.md": b"", "packs/a/pack.yaml": PACK, "packs/b/x.yaml": PACK}, ["packs/a", "packs/b"]),
        ({"all/one.yaml": PACK, "all/two.yaml": PACK}, ["all/one.yaml", "all/two.yaml"]),
        ({"one.yaml": PACK, "two.yaml": PACK, "c/pack.yaml": PACK}, ["c", "one.yaml", "two.yaml"]),
        ({"a/pack.yaml": PACK, "b/evals/x.eval.yaml": SUITE}, ["a", "b"]),
        ({"a/manifest.yaml": MANIFEST, "a/tasks.jsonl": b"{}\n", "b/evals/x.eval.yaml": SUITE}, ["a", "b"]),
    ],
)
def test_packs_side_by_side_are_told_apart(files, expected):
    assert sorted(packs_in(files)) == expected


@pytest.mark.parametrize(
    "files",
    [
        {"pack.yaml": PACK},
        {"pack.yaml": PACK, "old.yaml": PACK},
        {"pack.yaml": PACK, "fixtures/other/pack.yaml": PACK},
        {"pack/pack.yaml": PACK, "docs/notes.md": b"x"},
        {"evals/a/x.eval.yaml": SUITE, "evals/b/y.eval.yaml": SUITE},
        {"evals/x.eval.yaml": SUITE, "results/1/manifest.yaml": b"x: 1\n", "results/2/manifest.yaml": b"x: 1\n"},
        {"a.txt": b"x", "b/c.txt": b"x"},
    ],
)
def test_files_that_make_one_pack_offer_no_choice(files):
    assert packs_in(files) == {}
    assert SEVERAL.code not in [finding.code for finding in check_files(files).findings]


def test_the_chosen_pack_has_its_own_files_alone():
    files = {"all/one.yaml": PACK, "all/two.yaml": PACK, "all/logo.png": b"x", "c/pack.yaml": PACK, "c/data/x": b"x"}
    assert choose(files, "all/one.yaml") == ({"one.yaml": PACK, "logo.png": b"x"}, [])
    assert choose(files, "c/") == ({"pack.yaml": PACK, "data/x": b"x"}, [])
    assert choose(files, "") == (files, [])


def test_a_check_says_which_packs_there_are():
    (finding,) = check_files({"a/pack.yaml": PACK, "b/pack.yaml": PACK}).findings
    assert (finding.code, finding.message) == (SEVERAL.code, "There are 2 packs here: a, b.")


SEVERAL_FILES = {"a/p.yaml": PACK, "b/p.yaml": PACK}


@pytest.mark.parametrize(("files", "known"), [(SEVERAL_FILES, "a, b"), ({"p.yaml": PACK}, "one")])
def test_a_pack_that_is_not_there_is_not_replaced_by_another(files, known):
    found, missing = choose(files, "c")
    checked = check_files(found, "challenge_pack", before=missing)
    assert checked.pack is None
    ((code, hint),) = [(finding.code, finding.hint) for finding in checked.findings]
    assert code == NOT_HERE.code
    assert known in hint
