"""What of a document counts where readers pass over values that the schema refuses."""

from packs.formats.schema.pieces import block, integer, text
from packs.formats.structure import counting

BLOCK = block(
    "Run",
    {
        "workers": integer("Workers", minimum=1, rules="ignored"),
        "name": text("Name"),
        "limits": block("Limits", {"most": integer("Most", rules="ignored")}, rules={"type": "ignored"}),
    },
)
counted = counting(BLOCK, "ignored")


def test_values_that_the_rule_refuses_count_at_no_depth():
    stated = {"workers": 0, "limits": {"most": "five", "own": 1}}
    assert counted(stated) == {"limits": {"own": 1}}


def test_values_of_which_another_rule_or_none_tells_count_as_they_stand():
    assert counted({"workers": 3.0, "name": 5, "limits": {"most": 1}}) == {
        "workers": 3.0,
        "name": 5,
        "limits": {"most": 1},
    }


def test_null_and_unknown_fields_count_as_little_as_what_is_no_mapping():
    assert counted({"workers": None, "limits": {"most": None}, "other": 1}) == {"limits": {}}
    assert counted(["workers"]) == {}
    assert counted({"limits": 5}) == {}
