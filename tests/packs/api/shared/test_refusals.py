import pytest

from packs.api.shared.refusals import conflicting, edit_refused
from packs.editing import ABSENT, Conflict, EditRefused
from packs.formats.document import NodeKind


@pytest.mark.parametrize(("code", "status"), [("no_such_node", 404), ("bad_pointer", 422), ("not_a_document", 422)])
def test_a_refused_edit_says_what_kind_of_refusal_it_is(code, status):
    refused = edit_refused(EditRefused(code, "no"))
    assert refused.status_code == status
    assert [finding.code for finding in refused.findings] == [f"api.{code}"]


def test_conflicts_name_their_places():
    refused = conflicting([Conflict(NodeKind.CASE, 1, "/a/0", 1, ABSENT)])
    assert refused.status_code == 409
    assert [finding.path for finding in refused.findings] == [("a", "0")]
