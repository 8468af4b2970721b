import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats import adapter_of, recognise
from packs.formats.checking import check_files
from packs.formats.findings import MAX_FINDINGS

pytestmark = pytest.mark.long

PACK = b"""\
pack: {slug: parcels, name: Parcels, family: logistics}
version:
  number: 1
  evaluation_spec:
    name: parcels-v1
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: answer, type: contains, target: final_output, expected_from: case.expectations.answer}
    scorecard: {dimensions: [correctness]}
challenges:
  - {key: locate, title: Locate, category: tracking, difficulty: easy}
input_sets:
  - key: default
    name: Default
    cases:
      - challenge_key: locate
        case_key: hub
        inputs: [{key: prompt, kind: text, value: Where is it?}]
        expectations: [{key: answer, kind: text, value: Leeds}]
"""


def test_a_good_pack_is_recognised_and_valid():
    checked = check_files({"pack.yaml": PACK})
    assert (checked.format, checked.is_valid) == ("challenge_pack", True)
    assert checked.pack.key == "parcels"


def test_findings_have_their_place_and_stand_in_the_order_of_the_file():
    broken = PACK.replace(b"name: Parcels,", b"name: '',").replace(b"difficulty: easy", b"difficulty: trivial")
    checked = check_files({"pack.yaml": broken})
    assert not checked.is_valid
    lines = [finding.line for finding in checked.findings if finding.is_error]
    assert lines == sorted(lines)
    assert set(lines) >= {1, 12}
    assert {finding.file for finding in checked.findings} == {"pack.yaml"}


@pytest.mark.parametrize("files", [{}, {"notes.txt": b"hello"}, {"a.bin": b"\xff\0"}])
def test_files_that_are_no_pack_are_told_so(files):
    checked = check_files(files)
    assert (checked.format, checked.pack) == ("", None)
    assert [finding.code for finding in checked.findings] == ["pack.E001"]


def test_an_unknown_format_is_told_so():
    assert [finding.code for finding in check_files({"p": PACK}, "no_such").findings] == ["pack.E002"]


def test_a_broken_file_of_a_given_format_has_its_syntax_error():
    checked = check_files({"pack.yaml": b"pack: {slug: a\n"}, "challenge_pack")
    assert checked.pack is None
    assert [finding.code for finding in checked.findings] == ["yaml.E001"]


def test_findings_from_reading_the_files_are_kept():
    before = check_files({}).findings
    assert before[0] in check_files({"pack.yaml": PACK}, before=before).findings


def test_no_more_than_the_limit_is_listed_and_errors_come_before_the_cut():
    strange = b"".join(b"zz%d: 1\n" % number for number in range(MAX_FINDINGS + 100))
    checked = check_files({"pack.yaml": PACK.replace(b"slug: parcels", b"slug: ''") + strange})
    assert len(checked.findings) == MAX_FINDINGS + 1
    assert checked.findings[-1].code == "pack.W001"
    assert not checked.is_valid


def test_each_format_is_recognised_by_its_canonical_files():
    checked = check_files({"any.yaml": PACK})
    assert recognise(adapter_of(checked.format).dump(checked.pack)) == checked.format


HOSTILE = [
    b"\n",
    b" ",
    b"{\n",
    b"{",
    b"pack:\n",
    b'"',
    b"- a\n",
    b"\xff",
    b"\0",
    b"k: &a [*a]\n",
    b"a:\n- ",
    b"- - ",
    b"{}\n---\n",
]
BODIES = [b"", PACK, b"pack:\nversion:\nevaluation_spec:\nchallenges:\n", b"challenges:\n", b"input_sets:\n"]


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("body", BODIES)
def test_a_long_file_of_anything_ends_as_a_limited_list_of_findings(unit, body):
    files = {"pack.yaml": body + unit * (200_000 // len(unit))}
    assert len(check_files(files, "challenge_pack").findings) <= MAX_FINDINGS + 1
    recognise(files)


@given(st.binary(max_size=60), st.integers(0, len(PACK)), st.integers(0, 40))
def test_no_damage_to_a_pack_makes_checking_raise(patch, position, length):
    damaged = PACK[:position] + patch + PACK[position + length :]
    checked = check_files({"pack.yaml": damaged}, "challenge_pack")
    assert checked.pack is not None or checked.findings


words = st.sampled_from(re.findall(rb"[a-z_]+", PACK) + [b"1", b"[]", b"{}", b"[1, a]", b"{a: 1}", b"~", b"''", b"yes"])


@given(st.integers(0, 40), words)
def test_no_value_of_another_type_makes_checking_raise(index, word):
    places = list(re.finditer(rb"(?<=: )[^,{}\[\]\n]+", PACK))
    place = places[index % len(places)]
    check_files({"pack.yaml": PACK[: place.start()] + word + PACK[place.end() :]}, "challenge_pack")
