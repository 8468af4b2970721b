import pytest

from runs.agents.tools.contract import Origin, ToolFailed
from runs.agents.tools.placeholders import Values, fill, uses_secrets

GIVEN = {"id": "a/b c", "count": 3, "where": {"city": "Köln"}, "tags": ["x"], "big": 2**70, "half": "\ud800"}


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("${id}", "a/b c"),
        ("${count}", 3),
        ("n=${count}!", "n=3!"),
        ("${where.city}", "Köln"),
        ("${where}", {"city": "Köln"}),
        ("at ${where}", 'at {"city":"Köln"}'),
        ("${parameters}", GIVEN),
        ("${json:id}", '"a/b c"'),
        ("q=${query:id}", "q=a%2Fb+c"),
        ("/${path:id}/", "/a%2Fb%20c/"),
        ("${query:where.city}", "K%C3%B6ln"),
        ("${secrets.KEY}", "k"),
        ({"a": ["${count}", 1, None]}, {"a": [3, 1, None]}),
        ("plain $ {id}", "plain $ {id}"),
        ("n=${big}", f"n={2**70}"),
        ("${json:half}", '"\\ud800"'),
    ],
)
def test_placeholders_become_values(template, found):
    assert fill(template, Values(GIVEN, {"KEY": "k"})) == found


@pytest.mark.parametrize("template", ["${none}", "${where.street}", "${id.x}", "${secrets.OTHER}", "x ${none}"])
def test_a_placeholder_without_a_value_fails(template):
    with pytest.raises(ToolFailed) as failure:
        fill(template, Values(GIVEN, {"KEY": "k"}))
    assert failure.value.origin is Origin.RESOLUTION


def test_a_lenient_filling_leaves_what_stands_for_nothing_and_knows_no_secrets():
    lenient = Values(GIVEN, {"KEY": "k"}, is_lenient=True)
    assert fill("${none} ${count} ${secrets.KEY}", lenient) == "${none} 3 ${secrets.KEY}"


@pytest.mark.parametrize(
    ("template", "uses"),
    [("${secrets.A}", True), ({"h": ["${query:secrets.A}"]}, True), ("${id}", False), ("secrets.A", False), (1, False)],
)
def test_a_template_that_names_a_secret_is_known(template, uses):
    assert uses_secrets(template) is uses
