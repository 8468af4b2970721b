from packs.formats.findings import Finding, Severity
from packs.importing.values import ImportRefused, Preview


def test_a_preview_with_a_refusal_cannot_be_imported():
    found = Preview(None, "challenge_pack", "p")
    assert found.can_import
    assert found.is_new
    found.refused = [Finding("x", Severity.ERROR, (), "no")]
    assert not found.can_import


def test_a_preview_names_the_format_that_was_recognised():
    assert Preview(None, "benchmark_pack", "p").label == "Benchmark pack"
    assert Preview(None, "", "p").label == ""
    names = ("challenge_pack", "benchmark_pack", "")
    assert [Preview(None, name, "p").has_challenges for name in names] == [True, False, False]


def test_a_refusal_carries_its_findings():
    finding = Finding("x", Severity.ERROR, (), "no")
    assert ImportRefused([finding]).findings == [finding]
    assert ImportRefused(code="no_such_upload").code == "no_such_upload"
