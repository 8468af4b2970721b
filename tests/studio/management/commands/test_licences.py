import io
import json

import pytest
from django.core.management import call_command

LOCK = "django==5 \\\n    --hash=sha256:00\nsix==1 \\\n    --hash=sha256:00\n"


def listed(root, settings, *options, bundled=()):
    """Exit code, and what is written, for a studio of this folder."""
    settings.BASE_DIR = root
    (root / "requirements.lock").write_text(LOCK)
    if bundled is not None:
        (root / "static/dist").mkdir(parents=True)
        (root / "static/dist/packages.json").write_text(json.dumps(bundled))
    told = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("licences", *options, stdout=told, stderr=told)
    return ended.value.code, told.getvalue()


def test_python_and_npm_packages_are_listed(tmp_path, settings):
    code, text = listed(tmp_path, settings, bundled=[{"name": "inter", "version": "5.3.0", "licence": "OFL-1.1"}])
    assert code == 0
    assert [line.split() for line in text.splitlines()[:3]] == [
        ["python", "django", "5", "BSD-3-Clause"],
        ["python", "six", "1", "MIT"],
        ["npm", "inter", "5.3.0", "OFL-1.1"],
    ]


def test_a_licence_that_nobody_accepted_is_named_and_ends_with_1(tmp_path, settings):
    packages = [{"name": "odd", "version": "1", "licence": "SSPL-1.0"}]
    packages += [{"name": "mute", "version": "1", "licence": None}]
    code, text = listed(tmp_path, settings, "--json", bundled=packages)
    assert (code, json.loads(text)["refused"]) == (1, ["odd", "mute"])


def test_without_a_built_front_end_a_sentence_says_what_to_do(tmp_path, settings):
    code, text = listed(tmp_path, settings, bundled=None)
    assert code == 3
    assert "make setup" in text
    assert "packages.json" in text
