from drf_spectacular.generators import SchemaGenerator

from packs import publish
from packs.api.shared import shapes
from packs.api.urls import urlpatterns
from tests.packs.drafts import draft_of


def test_what_is_shown_is_what_the_description_promises(team):
    draft = draft_of(team)
    version = publish.publish(draft, None)
    shown = [
        (shapes.show_pack_detail(draft), shapes.PackDetailShape),
        (shapes.show_node_detail(draft.cases.first()), shapes.NodeDetailShape),
        (shapes.VersionShape.show(version), shapes.VersionShape),
        (shapes.InputSetShape.show(version.input_sets.get()), shapes.InputSetShape),
        (shapes.VersionCaseShape.show(version.cases.first()), shapes.VersionCaseShape),
    ]
    for value, shape in shown:
        promised = shape().fields
        assert set(value) <= set(promised)
        assert {name for name, field in promised.items() if field.required} <= set(value)


def test_every_endpoint_is_described(db):
    schema = SchemaGenerator(patterns=urlpatterns).get_schema(request=None, public=True)
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    assert len(operations) >= len(urlpatterns)
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)
    assert all(operation["summary"] for operation in operations)
