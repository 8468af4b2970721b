import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats import challenge_pack, yamlio
from tests.packs.formats.challenge_pack import generated


def load(text, name="p.yaml"):
    return challenge_pack.load({name: text.encode()})


def only_case(text):
    pack, findings = load(text)
    assert not [finding for finding in findings if finding.is_error]
    return pack.input_sets[0].cases[0]


def codes(findings):
    return [finding.code.rpartition(".")[2] for finding in findings]


@pytest.mark.parametrize("text", ["", "  \n", "# nothing\n", '""'])
def test_an_empty_file_is_refused_as_a_whole(text):
    pack, findings = load(text)
    assert pack is None
    assert [(finding.rule, finding.field_path, finding.line) for finding in findings] == [("D1", "bundle", 1)]


@pytest.mark.parametrize("text", ["- a\n", "text\n", "5\n"])
def test_a_file_that_is_no_mapping_is_refused(text):
    pack, findings = load(text)
    assert pack is None
    assert codes(findings) == ["E002"]


def test_json_is_read_as_yaml():
    pack, _ = load('{"pack": {"slug": "s"}, "challenges": [{"key": "c"}]}')
    assert (pack.key, pack.challenges[0].key) == ("s", "c")


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("2024", "2024"),
        ("yes", "yes"),
        ("007", "007"),
        ("1.50", "1.50"),
        ("true", "true"),
        ("2024-01-02", "2024-01-02"),
    ],
)
def test_text_fields_keep_plain_scalars_as_they_are_written(written, kept):
    text = f"pack:\n  slug: {written}\ninput_sets:\n- cases:\n  - case_key: {written}\n"
    pack, _ = load(text)
    assert pack.document["pack"]["slug"] == kept
    assert pack.input_sets[0].cases[0].key == kept
    assert load(challenge_pack.dump(pack)["pack.yaml"].decode())[0] == pack


SPELLED = st.from_regex(r"[-+]?[0-9_]{1,6}|[-+]?0[xXoObB][0-9a-fA-F_]{1,4}|-?0|[+-]_[0-9]+", fullmatch=True)
FRAMES = ["pack:\n  slug: {}\n", "pack: {{slug: {}}}\n", '{{"pack":{{"slug":{}}}}}', "pack:\n  slug:\n    {}\n"]


@given(SPELLED, st.sampled_from(FRAMES))
def test_a_number_keeps_the_spelling_that_its_author_gave_it(written, frame):
    pack, _ = load(frame.format(written))
    assert pack.document["pack"]["slug"] == written


def test_a_number_behind_an_alias_is_a_text_too():
    pack, _ = load("pack: {slug: &key 7, name: *key}")
    assert pack.document["pack"] == {"slug": "7", "name": "7"}


def test_a_quoted_instant_is_not_shortened():
    pack, _ = load('pack: {slug: "2024-01-02T00:00:00Z"}')
    assert pack.key == "2024-01-02T00:00:00Z"


def test_text_in_lists_and_mappings_of_text_is_kept_as_written_too():
    pack, _ = load("version: {sandbox: {env_vars: {A: 010, B: no}, additional_packages: [1.0]}}")
    assert pack.document["version"]["sandbox"] == {"env_vars": {"A": "010", "B": "no"}, "additional_packages": ["1.0"]}


def test_the_evaluation_spec_takes_no_number_for_a_text():
    pack, _ = load("version: {evaluation_spec: {name: 5}}")
    assert pack.document["version"]["evaluation_spec"]["name"] == 5


def test_old_items_become_cases():
    text = "input_sets: [{key: s, name: S, items: [{challenge_key: c, item_key: first, payload: {a: 1}}]}]"
    case = only_case(text)
    assert (case.key, case.document) == ("first", {"challenge_key": "c", "payload": {"a": 1}, "case_key": "first"})
    assert "items" not in challenge_pack.dump(load(text)[0])["pack.yaml"].decode()


def test_old_items_beside_cases_are_left_out_and_told():
    pack, findings = load("input_sets:\n- cases: [{case_key: a}]\n  items: [{item_key: b}]\n")
    assert [case.key for case in pack.input_sets[0].cases] == ["a"]
    assert [(code, finding.line) for code, finding in zip(codes(findings), findings, strict=True)] == [("W003", 3)]


def test_fields_that_old_items_never_had_do_not_become_those_of_a_case():
    pack, findings = load("input_sets: [{items: [{item_key: b, inputs: [{key: a, kind: t}]}]}]")
    assert pack.input_sets[0].cases[0].document == {"case_key": "b"}
    assert codes(findings) == ["W004"]


@pytest.mark.parametrize(
    ("keys", "kept"),
    [
        ("case_key: a, item_key: a", {"case_key": "a"}),
        ("case_key: ' a ', item_key: a", {"case_key": " a "}),
        ("item_key: b", {"case_key": "b"}),
        ("case_key: '', item_key: b", {"case_key": "b"}),
        ("case_key: a, item_key: b", {"case_key": "a", "item_key": "b"}),
    ],
)
def test_a_second_key_is_kept_only_when_it_differs(keys, kept):
    assert only_case(f"input_sets: [{{cases: [{{{keys}}}]}}]").document == kept


def test_instructions_are_not_said_twice():
    pack, _ = load("challenges: [{key: c, instructions: ' Do it ', definition: {instructions: Do it, effort: 2}}]")
    assert pack.challenges[0].document == {"key": "c", "instructions": " Do it ", "definition": {"effort": 2}}


def test_a_definition_of_its_own_stays():
    pack, _ = load("challenges: [{key: c, instructions: Do it, definition: {instructions: Other}}]")
    assert pack.challenges[0].document["definition"] == {"instructions": "Other"}


@pytest.mark.parametrize(
    "text",
    [
        "challenges: {a: 1}",
        "challenges: [a, b]",
        "input_sets: text",
        "version: {assets: [1]}",
        "input_sets: [{key: s, cases: 5}]",
        "input_sets: [{key: s, items: [5]}]",
    ],
)
def test_a_list_of_nodes_that_is_none_is_kept_where_it_stands(text):
    pack, findings = load(text)
    assert findings == []
    written = challenge_pack.dump(pack)
    assert yamlio.read(written["pack.yaml"], file="", dialect=yamlio.GO_YAML) == yamlio.read(
        text, file="", dialect=yamlio.GO_YAML
    )
    assert codes(finding for finding in challenge_pack.check(pack) if finding.code.endswith("E010")) == ["E010"]


def test_files_beside_the_pack_are_kept_and_those_of_assets_are_found():
    pack_file = b"pack: {slug: s}\nchallenges: []\nversion: {assets: [{key: a, path: ./files/a.csv}]}\n"
    files = {"folder/my.yaml": pack_file, "folder/files/a.csv": b"1,2", "folder/README": b"hello", "other.txt": b"x"}
    pack, findings = challenge_pack.load(files)
    assert pack.assets[0].content == b"1,2"
    assert [(file.path, file.content) for file in pack.files] == [("README", b"hello")]
    assert codes(findings) == ["W002"]


def test_an_asset_never_reads_a_file_outside_the_folder():
    pack_file = b"pack: {slug: s}\nchallenges: []\nversion: {assets: [{key: a, path: ../secret}]}\n"
    pack, _ = challenge_pack.load({"f/pack.yaml": pack_file, "secret": b"no", "f/secret": b"no"})
    assert pack.assets[0].content is None


def test_two_packs_in_a_folder_are_refused_unless_one_is_called_so():
    one = b"pack: {slug: s}\nchallenges: []\n"
    pack, findings = challenge_pack.load({"a.yaml": one, "b.yaml": one})
    assert (pack, codes(findings)) == (None, ["E009"])
    assert challenge_pack.load({"a.yaml": one, "pack.yaml": one})[0] is not None


def test_a_folder_without_a_pack_says_so():
    pack, findings = challenge_pack.load({"a.txt": b"", "b.yaml": b"tests: []"})
    assert (pack, codes(findings)) == (None, ["E008"])
    assert challenge_pack.load({})[0] is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pack: {slug: s}\nversion: {}\nchallenges: []", True),
        ('{"pack": {}, "challenges": []}', True),
        ("tests:\n- id: a\n", False),
        ("", False),
    ],
)
def test_it_recognises_packs_by_their_keys(text, expected):
    assert challenge_pack.recognises({"x.yaml": text.encode()}) is expected


@given(st.dictionaries(st.sampled_from(["pack", "version", "challenges", "input_sets", "own"]), generated.values))
def test_any_content_is_read_checked_placed_and_written_without_an_exception(root):
    text = yamlio.write(root)
    pack, _ = load(text)
    if pack is None:
        return
    found = challenge_pack.place({"p.yaml": text.encode()}, challenge_pack.check(pack))
    assert all(finding.line > 0 for finding in found)
    again, _ = challenge_pack.load(challenge_pack.dump(pack))
    assert again == pack


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_an_exception(data):
    pack, findings = challenge_pack.load({"p": data})
    assert pack is not None or any(finding.is_error for finding in findings)


BLANKS = """\
pack: {slug: s}
challenges:
  -
  - {key: c, artifact_refs: [{key: a}, null, {key: a}]}
input_sets:
  - cases:
    - null
    - challenge_key: c
      case_key: k
      payload: {kept: [null, 1]}
      inputs: [~, {key: i, kind: text, value: null}]
"""


def test_blank_items_of_typed_lists_are_left_out_and_those_of_free_values_stay():
    pack, findings = load(BLANKS)
    assert [(code, finding.line) for code, finding in zip(codes(findings), findings, strict=True)] == [
        ("W006", 3),
        ("W006", 4),
        ("W006", 7),
        ("W006", 11),
    ]
    [challenge], [case] = pack.challenges, pack.input_sets[0].cases
    assert challenge.document["artifact_refs"] == [{"key": "a"}, {"key": "a"}]
    assert case.document["payload"] == {"kept": [None, 1]}
    assert [item["key"] for item in case.document["inputs"]] == ["i"]


def test_findings_stand_where_the_file_has_them_though_blank_items_went_before():
    files = {"p.yaml": BLANKS.encode()}
    pack, _ = challenge_pack.load(files)
    placed = challenge_pack.place(files, challenge_pack.check(pack))
    lines = {finding.field_path: finding.line for finding in placed}
    assert lines["challenges[0].artifact_refs[1].key"] == 4
    assert lines["input_sets[0].cases[0].inputs[0]"] == 11


def test_a_list_of_old_items_is_held_to_its_types_also_where_cases_replace_it():
    text = "input_sets:\n- key: s\n  items: [{payload: text}]\n  cases: [{case_key: k}]\n"
    found = [(code, finding.field_path) for finding in load(text)[1] for code in codes([finding])]
    assert found == [("W003", "input_sets[0].items"), ("E003", "input_sets[0].items[0].payload")]
    pack, _ = load(text.replace("[{payload: text}]", "n_wise"))
    assert [finding.field_path for finding in challenge_pack.check(pack) if finding.code.endswith("E010")] == [
        "input_sets[0].items"
    ]


@pytest.mark.parametrize("encode", [lambda text: text.encode("utf-16"), lambda text: text.replace("\n", "\r").encode()])
def test_utf16_with_its_mark_and_lines_that_end_in_cr_are_read_as_the_original_reads_them(encode):
    text = "pack: {slug: süd}\nversion: {number: 1}\nchallenges: [{key: c}]\ninput_sets: [{items: [{item_key: 007}]}]\n"
    files = {"p.yaml": encode(text)}
    assert challenge_pack.recognises(files)
    pack, findings = challenge_pack.load(files)
    assert (pack, findings) == challenge_pack.load({"p.yaml": text.encode()})
    lines = [finding.line for finding in challenge_pack.place(files, challenge_pack.check(pack))]
    assert set(lines) == {1, 2, 3, 4}
