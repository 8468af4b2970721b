from dataclasses import replace
from random import Random

import pytest

from packs.formats import FORMATS, adapter_of, recognise
from packs.formats.archives import read_path
from packs.formats.comparing import Act, OtherFormatError, apply_to_pack, compare_packs, counts, inverted
from packs.formats.document import Asset, Case, Challenge, File, InputSet, NodeKind, Pack
from packs.formats.preserving import preserved
from tests.corpora import CORPUS, ROOT
from tests.packs.formats.comparing.edited import edited, said

# Over all formats.
EDITS = 10_000
FOLDERS = (ROOT / "packs" / "samples", ROOT / "tests" / "fixtures" / "challenge_pack" / "bases")


def loaded(path):
    files, _ = read_path(path)
    name = recognise(files) if files else ""
    return adapter_of(name).load(files)[0] if name else None


def corpus_packs():
    """Every pack of the corpus that can be read, with the samples, by format."""
    paths = [path for folder in FOLDERS for path in sorted(folder.iterdir())]
    paths += sorted(path for path in CORPUS.glob("*/*") if path.is_dir() or path.suffix in (".yaml", ".jsonl"))
    found = {name: [adapter_of(name).starter("small", "Small")] for name in FORMATS}
    for path in paths:
        if (pack := loaded(path)) is not None:
            found[pack.format].append(pack)
    return found


PACKS = corpus_packs()


def check_between(adapter, old, new):
    difference = compare_packs(adapter, old, new)
    assert said(apply_to_pack(difference, old)) == said(new)
    assert said(apply_to_pack(inverted(difference), new)) == said(old)
    assert said(apply_to_pack(compare_packs(adapter, new, old), new)) == said(old)


@pytest.mark.parametrize("name", FORMATS)
def test_applied_to_the_old_pack_the_difference_gives_the_new_one(name):
    adapter, random, packs = adapter_of(name), Random(name), PACKS[name]
    assert len(packs) > 1
    done = 0
    while done < EDITS // len(FORMATS):
        for first in packs:
            new = first
            for _ in range(random.choice([1, 1, 2, 5])):
                new = edited(adapter, random, new)
                done += 1
            check_between(adapter, first, new)


@pytest.mark.parametrize("name", FORMATS)
def test_so_do_differences_of_packs_that_have_little_in_common(name):
    packs = PACKS[name]
    for old, new in zip(packs, [*packs[1:], packs[0]], strict=True):
        check_between(adapter_of(name), old, new)


@pytest.mark.parametrize("name", FORMATS)
def test_the_files_are_the_same_too_canonical_and_as_they_came(name):
    adapter, random = adapter_of(name), Random(name)
    for old in PACKS[name]:
        new = edited(adapter, random, edited(adapter, random, old))
        files, before = adapter.dump(new), adapter.dump(old)
        found = adapter.dump(apply_to_pack(compare_packs(adapter, old, new), old))
        assert found == files
        source = {file: content + b"\n# as it came\n" for file, content in before.items()}
        assert preserved(found, before, source) == preserved(files, before, source)


@pytest.mark.parametrize("name", FORMATS)
def test_a_pack_does_not_differ_from_itself(name):
    for pack in PACKS[name]:
        assert compare_packs(adapter_of(name), pack, pack).nodes == ()


ADAPTER = adapter_of("challenge_pack")


def case(key, challenge="c", **more):
    return Case(key, challenge, {"challenge_key": challenge, "case_key": key, **more})


def pack(*sets, challenges=("c",), **more):
    return Pack(
        "challenge_pack",
        "p",
        {"name": "P"},
        tuple(Challenge(key, {"key": key, "title": "What is asked of everybody"}) for key in challenges),
        tuple(InputSet(key, {"key": key}, tuple(cases)) for key, cases in sets),
        **more,
    )


def happened(old, new):
    difference = compare_packs(ADAPTER, old, new)
    assert said(apply_to_pack(difference, old)) == said(new)
    return [(str(node.kind), node.key, [act.value for act in node.acts]) for node in difference.nodes]


LONG = "A question that is long enough to be distinguished from others"


def test_what_happened_to_cases_is_told_by_their_keys():
    old = pack(("s", [case("a", q=1), case("b", q=2), case("c", q=LONG), case("d")]))
    new = pack(("s", [case("d"), case("a", q=1), case("b", q=3), case("z", q=LONG), case("n")]))
    assert happened(old, new) == [
        ("case", "d", ["moved"]),
        ("case", "b", ["changed"]),
        ("case", "z", ["renamed"]),
        ("case", "n", ["added"]),
    ]
    assert happened(new, old)[0] == ("case", "n", ["removed"])


def test_a_case_can_move_to_another_set_and_change_there():
    old, new = pack(("s", [case("a", q=1)]), ("t", [])), pack(("s", []), ("t", [case("a", q=2)]))
    assert happened(old, new) == [("case", "a", ["moved", "changed"])]
    (node,) = compare_packs(ADAPTER, old, new).nodes
    assert node.set_key == "t"


def test_cases_stay_with_a_set_and_a_challenge_that_were_renamed():
    old = pack(("s", [case("a", q=1), case("b", q=2)]))
    new = pack(("t", [case("a", "d", q=1), case("b", "d", q=2)]), challenges=("d",))
    assert happened(old, new) == [
        ("challenge", "d", ["renamed"]),
        ("input_set", "t", ["renamed"]),
        ("case", "a", ["changed"]),
        ("case", "b", ["changed"]),
    ]


def test_other_bytes_of_an_asset_and_of_a_file_are_changes():
    asset = Asset("a", "a.txt", {"key": "a", "path": "a.txt"}, b"one")
    old = pack(assets=(asset,), files=(File("n.txt", b"1"),))
    new = pack(assets=(replace(asset, content=b"two"),), files=(File("n.txt", b"2"), File("o.txt", b"")))
    assert happened(old, new) == [
        ("asset", "a", ["changed"]),
        ("file", "n.txt", ["changed"]),
        ("file", "o.txt", ["added"]),
    ]
    assert counts(compare_packs(ADAPTER, old, new).nodes) == {
        (NodeKind.ASSET, Act.CHANGED): 1,
        ("file", Act.ADDED): 1,
        ("file", Act.CHANGED): 1,
    }


def test_packs_of_two_formats_are_not_compared():
    with pytest.raises(OtherFormatError):
        compare_packs(ADAPTER, pack(), adapter_of("agentv").starter("a", "A"))
