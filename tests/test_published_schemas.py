import jsonschema_rs
import orjson

from tests.published_schemas import FOLDER, render


def test_the_published_schemas_are_those_of_the_code():
    published = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    assert published == render(), "write them again: python -m tests.published_schemas"


def test_the_published_schemas_are_valid_themselves():
    for text in render().values():
        jsonschema_rs.meta.validate(orjson.loads(text))
