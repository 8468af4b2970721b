from runs.replay.redaction import MARK, Redactor
from runs.results.sheets.page import beginning, sheet

SECRET = "sk-Zx81-very-secret-key-0042"


def test_a_secret_is_cut_out_before_a_text_is_cut_off():
    text = f"{'x' * 40}{SECRET}{'y' * 100}"
    kept = beginning(Redactor([SECRET]), text, 50)
    assert kept.startswith("x" * 40 + MARK)
    assert "more characters" in kept
    assert SECRET[:6] not in kept


def test_a_page_has_no_script_no_foreign_host_and_a_policy_of_its_own():
    values = {"title": "<script>alert(1)</script>", "about": SECRET, "output": "</pre><img src=x onerror=alert(1)>"}
    page = sheet("replay", values, Redactor([SECRET]))
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    assert "<script" not in page
    assert "<img" not in page
    assert "http://" not in page
    assert "https://" not in page
    assert SECRET not in page
    assert MARK in page
