import pytest

from packs.formats.audience import fields_of
from packs.formats.schema.pieces import AGENT, block, items, text
from tests.audience_page import PAGE, render, rows


def test_the_page_of_audiences_says_what_the_schemas_say():
    assert PAGE.read_text() == render(), "write it again: python -m tests.audience_page"


def test_a_field_that_states_no_audience_is_named():
    schema = items("Top", block("In", {"old": text("A", audience=AGENT), "new": text("B")}), audience=AGENT)
    with pytest.raises(SystemExit, match=r"Quiz, A case: .*`\[\]\.new`"):
        list(rows("A case", fields_of(schema), "Quiz"))
