"""Every rule of the format, by a sample that breaks it."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

from packs.formats import agentv
from packs.formats.checking import check_files
from packs.formats.findings import Rule

SAMPLES = sorted((Path(__file__).resolve().parents[3] / "fixtures" / "agentv").glob("*.txt"))
# Trouble of a lens text, of nodes that a form made, and of publishing: no file shows them.
WITHOUT_SAMPLE = {"agentv.E003", "agentv.E020", "agentv.E021", "agentv.E022", "agentv.E401"}


def files_of(path):
    """The files of a sample: each after a line such as `#### evals/a.eval.yaml`."""
    parts = re.split(r"^#### (.+)\n", path.read_text(), flags=re.MULTILINE)
    return {name: text.encode() for name, text in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_has_the_finding_that_it_is_named_after_at_a_place(path):
    wanted = f"agentv.{path.stem.partition('-')[0]}"
    result = check_files(files_of(path), "agentv")
    found = [finding for finding in result.findings if finding.code == wanted]
    assert found
    assert all(finding.file and finding.line for finding in found) or wanted == "agentv.E010"


def test_every_rule_has_a_sample():
    names = [info.name for info in pkgutil.walk_packages(agentv.__path__, "packs.formats.agentv.")]
    modules = [importlib.import_module(name) for name in names if not name.endswith("__main__")]
    rules = {rule.code for module in modules for rule in vars(module).values() if isinstance(rule, Rule)}
    declared = {code for code in rules if code.startswith("agentv.")}
    assert declared - {f"agentv.{path.stem.partition('-')[0]}" for path in SAMPLES} == WITHOUT_SAMPLE
