"""A client that `openapi-python-client` makes of the description works through a pack's life at a real server."""

import importlib
import io
import pkgutil
import subprocess
import sys
import urllib.request

import pytest

from packs.access import Scope
from tests.runs.studio_packs import pack_text
from tests.services import Studio, free_port, wait_until

pytestmark = pytest.mark.services
NAME = "packwright_client"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A studio with a web process and a worker; gives its address and a key."""
    studio = Studio(tmp_path_factory.mktemp("clients"))
    port = free_port()
    try:
        user = studio.scene("invite")["user"]
        scopes = [f"--scope={scope}" for scope in Scope]
        key = studio.manage("token", "create", user, "--name", "client", *scopes).strip()
        studio.start_worker(slots=1)
        studio.start_web(port)
        yield f"http://127.0.0.1:{port}", key
    finally:
        studio.close()


@pytest.fixture(scope="module")
def made(server, tmp_path_factory):
    """The client, as a package that can be imported; gives what its maker had to say."""
    folder = tmp_path_factory.mktemp("made")
    with urllib.request.urlopen(f"{server[0]}/api/schema/?format=json") as answer:
        folder.joinpath("api.json").write_bytes(answer.read())
    # Tidying up is of no use here, and takes a linter from the path.
    folder.joinpath("settings.yaml").write_text("post_hooks: []\n")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--path", "api.json"]
    command += ["--config", "settings.yaml", "--output-path", NAME]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    sys.path.insert(0, str(folder))
    yield done.stdout + done.stderr
    sys.path.remove(str(folder))


@pytest.fixture
def client(made, server):
    address, key = server
    client = part("").AuthenticatedClient(base_url=address, token=key, httpx_args={"trust_env": False}, timeout=240)
    with client:
        yield client


def part(name):
    return importlib.import_module(f"{NAME}{name}")


def model(name):
    return getattr(part(".models"), name)


def asked(client, operation, *place, **more):
    """The answer to a call, which must not be a refusal."""
    answer = part(f".api.{operation}").sync_detailed(*place, client=client, **more)
    assert answer.status_code < 400, answer.content
    return answer


def test_every_module_of_the_client_can_be_imported(made):
    package = part("")
    names = [module.name for module in pkgutil.walk_packages(package.__path__, f"{NAME}.")]
    assert len([name for name in names if name.startswith(f"{NAME}.api.")]) > 100
    for name in names:
        importlib.import_module(name)


def test_no_operation_and_no_body_is_left_out(made):
    assert "Endpoint will not be generated" not in made
    assert "Unsupported content type " not in made


def import_and_edit(client):
    """Import a pack, give its case another key, and publish it; gives the version."""
    file = part(".types").File(payload=io.BytesIO(pack_text({"default": 1}).encode()))
    pack = asked(client, "packs.packs_import", body=file, team="default").parsed
    assert pack.counts["cases"] == 1
    (case,) = asked(client, "packs.nodes_list", pack.id, model("NodesListCollection").CASES).parsed.results
    document = {**case.document, "case_key": "renamed"}
    place = (model("NodesReplaceCollection").CASES, case.id)
    shown = asked(client, "drafts.nodes_show", model("NodesShowCollection").CASES, case.id)
    body = model("DocumentRequest")(document=document)
    edited = asked(client, "drafts.nodes_replace", *place, body=body, if_match=shown.headers["ETag"])
    assert edited.parsed.key == "renamed"
    stale = part(".api.drafts.nodes_replace").sync_detailed(
        *place, client=client, body=body, if_match=shown.headers["ETag"]
    )
    assert stale.status_code == 412
    assert stale.parsed.findings[0].code == "api.precondition_failed"
    return asked(client, "packs.packs_publish", pack.id, body=model("PublicationRequest")(notes="First")).parsed


def test_a_client_imports_edits_publishes_runs_and_reads_results(client):
    version = import_and_edit(client)
    kind = model("AgentKindEnum").REFERENCE
    agent = asked(client, "agents.agents_create", body=model("AgentRequest")(name="knows", kind=kind)).parsed
    wanted = model("RunRequest")(challenge_pack_version_id=version.id, agents=[agent.name])
    run = asked(client, "runs.runs_create", body=wanted, idempotency_key="once").parsed
    wait_until(lambda: asked(client, "runs.runs_summary", run.id).parsed.is_final, "the end of the run")
    (entry,) = asked(client, "runs.runs_summary", run.id).parsed.agents
    assert (entry.name, entry.verdict, entry.pass_rate) == ("knows", model("VerdictEnum").PASS, 1.0)
    (trial,) = asked(client, "runs.trials_list", run.id).parsed.results
    assert (trial.case_key, trial.status) == ("renamed", model("TrialStatusEnum").PASSED)
    shown = asked(client, "trials.trials_show", trial.id).parsed
    assert [grade.verdict for grade in shown.grades] == [model("GradeVerdictEnum").PASS]
    exported = asked(client, "versions.versions_export", version.id)
    assert b"renamed" in exported.content
