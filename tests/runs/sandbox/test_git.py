import os
import subprocess

from runs.sandbox.git import CONFIG, variables


def test_git_reads_no_settings_but_its_own(tmp_path):
    config = tmp_path / "own"
    config.write_bytes(CONFIG)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[alias]\n\tsurprise = !touch here\n")
    environment = os.environ | {"HOME": str(home)} | variables(str(config))
    listed = subprocess.run(["git", "config", "--list"], env=environment, cwd=tmp_path, capture_output=True, check=True)
    assert set(listed.stdout.decode().split()) == {
        "safe.directory=*",
        "protocol.ext.allow=never",
        "advice.detachedhead=false",
        "http.followredirects=false",
    }
