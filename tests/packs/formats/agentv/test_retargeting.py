"""A target that a file lists gets another name in the file too, whose comments stay."""

from packs.formats import adapter_of
from packs.formats.agentv.retargeting import renamed_file
from packs.formats.names import Asked
from packs.formats.names.files import rename_in_files

TARGETS = b"""\
# Who answers here.
targets:
  - name: desk # the one of the shop
    provider: mock
    grader_target: 'judge'
  - {name: judge, provider: mock}
  - name: quick
    use_target: desk
"""
SUITE = b"name: parcels\nexecution: {target: desk}\ntests:\n- {id: a, criteria: c, input: q}\n"
FILES = {"parcels.eval.yaml": SUITE, ".agentv/targets.yaml": TARGETS}
AGENTV = adapter_of("agentv")


def test_a_targets_file_follows_in_its_own_text():
    asked = Asked({"desk": "counter"})
    text = renamed_file(".agentv/targets.yaml", TARGETS, asked)
    assert text == TARGETS.replace(b"name: desk #", b"name: counter #").replace(
        b"use_target: desk", b"use_target: counter"
    )
    assert (asked.places, asked.homes["desk"]) == (2, 1)
    assert renamed_file(".agentv/targets.yaml", TARGETS, {"judge": "x y"}).count(b"'judge'") == 0
    assert renamed_file("notes.yaml", TARGETS, {"desk": "counter"}) == TARGETS


def test_what_cannot_be_written_into_the_text_is_written_anew():
    data = b"targets:\n- &first {name: desk, provider: mock}\n- name: >-\n    desk\n"
    changed = renamed_file(".agentv/targets.yaml", data, {"desk": "counter"})
    assert changed.count(b"counter") == 2
    assert b"desk" not in changed


def test_the_files_of_a_pack_follow_and_there_is_a_way_back():
    pack, _ = AGENTV.load(FILES)
    there = rename_in_files(FILES, pack, "targets", "desk", "counter")
    assert set(there.files) == set(FILES)
    assert there.renaming.places == 3
    after, _ = AGENTV.load({**FILES, **there.files})
    back = rename_in_files({**FILES, **there.files}, after, "targets", "counter", "desk")
    assert {**FILES, **there.files, **back.files} == FILES
