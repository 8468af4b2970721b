"""What is shipped, against what the packages themselves say."""

from email.message import Message
from importlib.metadata import distributions
from pathlib import Path

import pytest

from studio.licences import ACCEPTED, Shipped, licence_of, python_packages

ROOT = Path(__file__).resolve().parents[2]


def package(**said):
    """The metadata of a package; a name with several values says each of them."""
    told = Message()
    for name, values in said.items():
        for value in [values] if isinstance(values, str) else values:
            told[name.replace("_", "-")] = value
    return told


@pytest.mark.parametrize(
    ("said", "licence"),
    [
        ({"License_Expression": "MIT OR Apache-2.0", "License": "BSD"}, "MIT OR Apache-2.0"),
        ({"License": "BSD-3-Clause"}, "BSD-3-Clause"),
        ({"License": "LGPLv3"}, "LGPL-3.0-only"),
        ({"Classifier": ["License :: OSI Approved :: MIT License", "Framework :: Django"]}, "MIT"),
        ({"License": "Dual License", "Classifier": ["License :: OSI Approved :: BSD License"]}, "BSD"),
        ({"License": "Proprietary"}, "Proprietary"),
        ({}, ""),
    ],
)
def test_a_licence_is_read_from_wherever_the_package_names_it(said, licence):
    assert licence_of(package(**said)) == licence


@pytest.mark.parametrize(
    ("licence", "is_accepted"),
    [
        ("MIT", True),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", True),
        ("", False),
        ("AGPL-3.0-only", False),
        ("MIT AND Proprietary", False),
        ("(MIT)", True),
    ],
)
def test_only_known_licences_are_accepted(licence, is_accepted):
    assert Shipped("python", "it", "1", licence).is_accepted is is_accepted


def test_every_installed_package_of_the_lock_is_listed_with_an_accepted_licence():
    listed = list(python_packages(ROOT / "requirements.lock"))
    assert [package for package in listed if not package.is_accepted] == []
    installed = {one.name.lower().replace("_", "-"): one.version for one in distributions()}
    assert {package.name: package.version for package in listed}.items() <= installed.items()
    assert len(listed) > 50


def test_a_package_that_should_be_there_and_is_not_is_an_error(tmp_path):
    lock = tmp_path / "requirements.lock"
    lock.write_text("no-such-package-1==1.0 ; sys_platform == 'win32' \\\n    --hash=sha256:00\n")
    assert list(python_packages(lock)) == []
    lock.write_text("no-such-package-1==1.0 \\\n    --hash=sha256:00\n")
    with pytest.raises(ModuleNotFoundError):
        list(python_packages(lock))


def test_the_studio_names_its_own_licence_everywhere():
    assert 'license = "Apache-2.0"' in (ROOT / "pyproject.toml").read_text()
    assert '"license": "Apache-2.0"' in (ROOT / "package.json").read_text()
    assert "Apache-2.0" in (ROOT / "README.md").read_text()
    assert "Apache-2.0" in ACCEPTED
