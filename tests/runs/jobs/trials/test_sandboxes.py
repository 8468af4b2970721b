import tempfile

from runs.jobs.trials.sandboxes import chosen_sandbox, sweep_workspaces
from runs.sandbox import slots
from runs.sandbox.slots import base_folder


def test_the_settings_decide(settings):
    settings.SANDBOX, settings.ALLOW_LOCAL_COMMANDS = "local", False
    assert chosen_sandbox().kind == ""
    settings.ALLOW_LOCAL_COMMANDS = True
    settings.SANDBOX_READ_ONLY_PATHS, settings.SANDBOX_NETWORK = ["/opt/agents"], True
    found = chosen_sandbox()
    assert (found.kind, found.policy.shared_paths, found.policy.allows_network) == ("local", ("/opt/agents",), True)


def test_what_a_dead_worker_left_is_removed_and_an_unusable_folder_is_no_drama(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(slots, "SHARED", tmp_path / "shared")
    (base_folder() / "3").mkdir()
    sweep_workspaces()
    assert not (base_folder() / "3").exists()
    base_folder().chmod(0o777)
    sweep_workspaces()
