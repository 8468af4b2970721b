"""The codes of reasons are stable: each stands in docs/proof.md, and no other does."""

import re

from runs.proof.probes import MISSING, Code
from tests.corpora import ROOT


def test_every_code_is_documented():
    table = (ROOT / "docs/proof.md").read_text().partition("## Reasons")[2].partition("## proof.yaml")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(Code)


def test_what_is_missing_refutes_nothing():
    assert {code.value for code in MISSING} == {
        "no_reference",
        "needs_judge",
        "needs_person",
        "needs_sandbox",
        "needs_events",
    }
