from packs.formats import challenge_pack
from packs.formats.task import Budgets, Capture, WorkspaceFile

TEXT = b"""
pack: {slug: s, name: N, family: f}
version:
  number: 1
  execution_mode: native
  sandbox:
    network_access: true
    network_allowlist: [10.0.0.0/8]
    env_vars: {MODE: test, TOKEN: stated}
    additional_packages: [jq]
    sandbox_template_id: image
  tool_policy: {allow_shell: true}
  filesystem: {working_directory: /desk}
  assets:
    - {key: here, path: files/here.txt}
    - {key: gone, path: files/gone.txt}
    - {key: uploaded, path: up.bin, artifact_id: 5b8f0c1e-8d1c-4d7e-9f65-0a2b3c4d5e6f}
  evaluation_spec:
    name: e
    post_execution_checks:
      - {key: report, type: file_capture, path: report.md, max_size_bytes: 10}
      - {key: tree, type: directory_listing, path: out, recursive: true}
    runtime_limits: {max_total_tokens: 100, max_cost_usd: 0.5, max_duration_ms: 1500, max_iterations: 7}
challenges:
  - {key: c, assets: [{key: x, path: ./files/extra.txt}, {key: y, path: nowhere.txt}]}
input_sets:
  - key: s
    name: S
    cases:
      - challenge_key: c
        case_key: one
        payload: {workspace_files: [{path: a.txt, content: A}, {path: b.txt}, 5]}
        inputs: [{key: w, kind: workspace, value: [{path: c.txt, content: C}]}, {key: t, kind: text, value: [1]}]
      - {challenge_key: c, case_key: two, case_timeout_seconds: 9}
security:
  planted_secrets:
    - {name: TOKEN, value: planted, location: env}
    - {name: note, value: hidden, location: file, file_path: notes/n.txt}
    - {name: other, value: mock, location: tool-output}
"""


def tasks():
    files = {"pack.yaml": TEXT, "files/here.txt": b"h", "files/extra.txt": b"e", "unused.txt": b"u"}
    pack, _ = challenge_pack.load(files)
    return list(challenge_pack.compile_tasks(pack))


def test_the_sandbox_is_as_the_pack_says():
    environment = tasks()[0].environment
    assert (environment.network, environment.network_allowlist) == (True, ("10.0.0.0/8",))
    assert (environment.packages, environment.image, environment.working_directory) == (("jq",), "image", "/desk")
    assert environment.tool_policy == {"allow_shell": True}


def test_secrets_of_the_environment_are_planted_over_its_variables():
    assert tasks()[0].environment.variables == {"MODE": "test", "TOKEN": "planted"}


def test_secrets_outside_of_the_working_directory_are_planted_at_their_places():
    places = [b"/etc/app/key", b"/desk/in.txt", b"~/.netrc"]
    more = b"".join(
        b"    - {name: s%d, value: v%d, location: file, file_path: '%s'}\n" % (number, number, place)
        for number, place in enumerate(places)
    )
    pack, _ = challenge_pack.load({"p": TEXT + more})
    environment = next(iter(challenge_pack.compile_tasks(pack))).environment
    assert environment.planted == (WorkspaceFile("/etc/app/key", "v0"),)
    assert environment.files[-2:] == (WorkspaceFile("/desk/in.txt", "v1"), WorkspaceFile(".netrc", "v2"))


def test_a_variable_that_refers_to_something_is_in_the_way_of_a_workspace():
    assert tasks()[0].environment.obstacle == ""
    pack, _ = challenge_pack.load({"p": TEXT.replace(b"MODE: test", b"MODE: 'is ${secrets.MODE}'")})
    assert "MODE" in next(iter(challenge_pack.compile_tasks(pack))).environment.obstacle


def test_files_come_from_assets_with_bytes_the_payload_workspace_inputs_and_secrets():
    assert tasks()[0].environment.files == (
        WorkspaceFile("files/here.txt", asset_key="here"),
        WorkspaceFile("up.bin", asset_key="uploaded"),
        WorkspaceFile("./files/extra.txt"),
        WorkspaceFile("a.txt", "A"),
        WorkspaceFile("c.txt", "C"),
        WorkspaceFile("notes/n.txt", "hidden"),
    )


def test_captures_are_those_of_the_evaluation_spec():
    assert tasks()[0].environment.captures == (
        Capture("report", "file_capture", "report.md", max_size_bytes=10),
        Capture("tree", "directory_listing", "out", recursive=True),
    )


def test_a_time_limit_of_the_case_replaces_that_of_the_spec():
    one, two = tasks()
    assert one.budgets == Budgets(wall_seconds=1.5, steps=7, total_tokens=100, cost_usd=0.5)
    assert two.budgets.wall_seconds == 9


def test_a_pack_that_says_nothing_gets_the_defaults():
    pack, _ = challenge_pack.load({"p": b"pack: {slug: s}\ninput_sets: [{key: s, cases: [{case_key: a}]}]"})
    (task,) = challenge_pack.compile_tasks(pack)
    assert (task.environment.mode, task.environment.working_directory) == ("native", "/workspace")
    assert (task.environment.network, task.environment.files, task.budgets) == (False, (), Budgets())
