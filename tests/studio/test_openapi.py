import jsonschema_rs
import pytest
from drf_spectacular.generators import SchemaGenerator

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def described():
    return SchemaGenerator().get_schema(request=None, public=True)


def operations(described):
    return [(path, method, one) for path, ways in described["paths"].items() for method, one in ways.items()]


def test_acts_that_share_a_route_have_an_address_and_a_name_each(described):
    names = {path: ways["post"]["operationId"] for path, ways in described["paths"].items() if "post" in ways}
    assert names["/api/v1/packs/{id}/undo/"] == "packs_undo"
    assert names["/api/v1/packs/{id}/archive/"] == "packs_archive"
    assert names["/api/v1/versions/{id}/restore/"] == "versions_restore"
    assert not [path for path in described["paths"] if "{act}" in path]


def test_no_two_operations_have_one_name(described):
    names = [one["operationId"] for _, _, one in operations(described)]
    assert len(set(names)) == len(names)


def test_every_operation_says_what_a_refusal_looks_like(described):
    shapes = {str(one["content"]) for one in described["components"]["responses"].values()}
    assert len(shapes) == 1
    assert "schemas/Findings" in shapes.pop()


def test_every_operation_has_a_tag(described):
    assert [path for path, _, one in operations(described) if not one.get("tags")] == []


def test_a_list_that_comes_page_by_page_is_described_as_a_page(described):
    arrays = {
        path
        for path, _, one in operations(described)
        if any(parameter["name"] == "cursor" for parameter in one.get("parameters", ()))
        and "Page" not in str(one["responses"]["200"])
    }
    # A replay has steps and a place in them instead of rows.
    assert arrays == {"/api/v1/trials/{id}/replay/"}


def test_parameters_of_paths_are_numbers_and_words(described):
    (parameter,) = [
        one
        for one in described["paths"]["/api/v1/{collection}/{id}/"]["get"]["parameters"]
        if one["name"] == "collection"
    ]
    assert parameter["schema"]["enum"] == ["challenges", "input-sets", "cases", "assets"]
    assert "pattern" not in str(
        [parameter for _, _, one in operations(described) for parameter in one.get("parameters", ())]
    )


def test_files_and_values_of_any_kind_are_described_so_that_they_fit(described):
    answers = described["paths"]["/api/v1/versions/{id}/export/"]["get"]["responses"]["200"]["content"]
    assert answers == {"application/yaml": {"schema": {}}, "application/zip": {"schema": {}}}
    assert "oneOf" not in described["components"]["schemas"]["Tryout"]["properties"]["files"]


def test_a_refusal_is_described_wherever_it_can_happen(described):
    found = {one["operationId"]: set(one["responses"]) for _, _, one in operations(described)}
    assert all({"400", "401", "403", "414", "429"} <= statuses for statuses in found.values())
    assert {"404", "408", "409", "412", "413", "415", "422", "428"} <= found["nodes_replace"]
    assert not {"408", "409", "412", "413", "428"} & found["packs_list"]


def test_what_a_body_means_without_a_field_is_something_that_it_could_say(described):
    wrong = []
    for name, schema in described["components"]["schemas"].items():
        for field, one in schema.get("properties", {}).items():
            validator = jsonschema_rs.Draft202012Validator({**one, "components": described["components"]})
            if "default" in one and not validator.is_valid(one["default"]):
                wrong.append((name, field, one))
    assert wrong == []


def test_every_operation_has_a_summary_that_fits_into_a_line(described):
    assert [one["operationId"] for _, _, one in operations(described) if not 1 <= len(one["summary"]) <= 90] == []


def test_whatever_is_edited_with_an_etag_is_answered_with_one(described):
    """A client finds in the description where the value of `If-Match` comes from."""
    for path, ways in described["paths"].items():
        if any(parameter["name"] == "If-Match" for one in ways.values() for parameter in one.get("parameters", ())):
            assert "ETag" in ways["get"]["responses"]["200"]["headers"], path
