import pytest

from packs.views.workbench.styles import ARTIFACT_HEAVY, PAYLOAD_ONLY, STRUCTURED


@pytest.mark.parametrize(
    ("document", "style"),
    [
        ({"payload": {"a": 1}}, PAYLOAD_ONLY),
        ({"inputs": [{"key": "q", "kind": "text"}]}, STRUCTURED),
        ({"case_timeout_seconds": 5}, STRUCTURED),
        ({"inputs": [{"key": "q", "kind": "file", "artifact_key": "f"}]}, ARTIFACT_HEAVY),
        ({"artifacts": [{"key": "f"}]}, ARTIFACT_HEAVY),
        ({"assets": [{"key": "f", "path": "f.txt"}]}, ARTIFACT_HEAVY),
        ({"inputs": "broken"}, None),
    ],
)
def test_the_badge_says_how_the_case_is_stored(node_page, case, document, style):
    case.document = {"challenge_key": "locate", "case_key": "case-0", **document}
    case.save()
    shown = node_page(f"cases/{case.pk}").response
    assert shown.status_code == 200
    assert style is None or shown.context["style"] == style
