from runs.sandbox import packages
from runs.sandbox.packages import lacking, lacking_here

STATUS = """\
Package: jq
Status: install ok installed
Description: lightweight
 Package: not-this-one

Package: gone
Status: deinstall ok config-files

Package: mawk
Status: install ok installed
Provides: awk, text-tool (= 1.0)
"""


def test_installed_packages_and_what_they_provide_are_there():
    wanted = ("jq", "awk", "text-tool", "gone", "not-this-one", "curl", "curl")
    assert lacking(wanted, STATUS) == ("gone", "not-this-one", "curl")


def test_a_machine_that_keeps_no_account_lacks_all_packages(monkeypatch, tmp_path):
    monkeypatch.setattr(packages, "STATUS", str(tmp_path / "none"))
    assert lacking_here(["jq"]) == ("jq",)
    assert lacking_here([]) == ()
