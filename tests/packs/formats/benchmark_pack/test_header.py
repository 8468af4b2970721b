from packs.formats.benchmark_pack.header import header_of
from packs.formats.paths import normal_path


def test_values_of_a_wrong_type_count_as_absent():
    header = header_of(
        {"id": 7, "defaults": [], "asset_roots": {"public": None}, "asset_defaults": {"read_only": "no"}}
    )
    assert (header.id, header.family, header.environment, header.public_root) == ("", "", {}, "assets/")
    assert header.read_only


def test_a_row_replaces_whole_values_of_the_environment():
    header = header_of({"defaults": {"environment": {"image": "a", "resources": {"cpus": 2}}}})
    row = {"environment": {"resources": {"memory": "8g"}, "image": None}}
    assert header.environment_of(row) == {"image": None, "resources": {"memory": "8g"}}


def test_the_family_of_a_row_is_its_own_or_the_default_and_never_an_empty_one():
    header = header_of({"defaults": {"family": "short_answer"}})
    assert [header.family_of({"family": stated}) for stated in ("own", None, "", 3)] == ["own", "short_answer", "", ""]


def test_roots_are_compared_in_normal_form():
    assert header_of({"asset_roots": {"public": "./a//b/", "eval": "h"}}).roots == ("a/b/", "h/")
    assert normal_path("a/./b//c") == "a/b/c"
