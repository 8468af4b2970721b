"""Which assets the evidence of a case may refer to."""

from packs.formats.challenge_pack.scope import named_assets, values_of

VERSION = {"manual": {"key": "manual", "path": "version/manual.pdf"}, "map": {"key": "map", "path": "version/map.png"}}
CASE = {
    "case_key": "k",
    "assets": [{"key": "manual", "path": "own/manual.pdf"}, {"key": "notes", "path": "own/notes.txt"}],
    "expectations": [{"key": "plan", "kind": "file", "source": "artifact: map"}],
}


def test_a_case_has_its_own_assets_and_the_version_assets_that_it_names():
    values = values_of(CASE, VERSION)
    assert values.find("artifact.notes").value == "own/notes.txt"
    assert values.find("artifact.map").value == "version/map.png"
    assert values.find("artifact.manual").value == "own/manual.pdf"
    assert not values_of({"case_key": "k"}, VERSION).find("artifact.map").is_available


def test_an_asset_of_the_version_wins_where_a_case_names_it():
    named = {**CASE, "artifacts": [{"key": " manual "}]}
    assert values_of(named, VERSION).find("artifact.manual").value == "version/manual.pdf"


def test_every_way_to_name_an_asset_is_seen():
    document = {
        "artifacts": [{"key": "a"}],
        "inputs": [{"artifact_key": "b"}],
        "expects": [{"source": "artifact:c"}, {"source": "input:d"}],
    }
    assert {"a", "b", "c"} == {key for key in named_assets(document) if key}
