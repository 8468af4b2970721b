"""Every task suite of the corpus: in, edited, published, run, and out again; with agents that do it in all ways."""

import json
import shlex

import pytest

from packs import editing
from packs.access import Role
from packs.formats.archives import read_path
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.mirror import read_tree
from packs.models import Edit, VersionCase
from packs.publish import publish
from packs.views.workbench.addresses import ref_of
from runs.launch.launching import Options, launch
from runs.models import Agent, Trial
from runs.sandbox import bubblewrap
from runs.statistics.estimates import verdict
from tests.corpora import corpus_folder
from tests.packs.import_ways import WAYS, export, import_again, rows_of
from tests.packs.views.workbench.pages import Page
from tests.people import make_member
from tests.runs.working import work_off

FOLDER = corpus_folder("task-suite")
RUBRICS = "evals/_shared/rubrics"
each_pack = pytest.mark.parametrize("name", ["examples", "upstream"])
pytestmark = [
    pytest.mark.long,
    pytest.mark.django_db,
    pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined"),
]


@pytest.fixture
def folder(tmp_path):
    """Gives the folder of a pack; the published tasks came without the rubrics that they name, so they get some."""

    def find(name):
        for source in (FOLDER / "examples" / RUBRICS, FOLDER / name):
            for path in (path for path in source.rglob("*") if path.is_file()):
                root = FOLDER / (name if source.name == name else "examples")
                target = tmp_path / name / path.relative_to(root)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())
        return tmp_path / name

    return find


@each_pack
def test_page_api_and_command_make_the_same_rows(folder, name):
    made = {way: rows_of(bring_in(folder(name))) for way, bring_in in WAYS.items()}
    assert made["page"]["errors"] == 0
    assert made["api"] == made["page"]
    assert made["command"] == made["page"]


@each_pack
def test_export_import_and_export_again_give_the_same_bytes(tmp_path, folder, name):
    pack = WAYS["page"](folder(name))
    files = export(pack, tmp_path / "out")
    again, files_again = import_again(pack, tmp_path / "out")
    assert files_again == files
    assert read_tree(again) == read_tree(pack)
    for path in (FOLDER / "canonical").glob("*.yaml"):
        told = [data for written, data in files.items() if written.endswith(f"/{path.name}")]
        assert told in ([], [path.read_bytes()])


def published(team, path):
    """A version of a pack in whose first task the description was edited."""
    user = make_member(team, Role.CURATOR)
    files, _ = read_path(path)
    pack = import_pack(team, user, files, path.name)
    case = pack.cases.order_by("input_set__position", "position").first()
    editing.apply(pack, [editing.Change(NodeKind.CASE, case.pk, "/description", "Edited here.")], user)
    return publish(pack, user), user, case.key


@each_pack
def test_an_edited_pack_is_published_and_every_agent_comes_to_an_end_in_all_of_its_tasks(team, folder, name):
    version, user, edited = published(team, folder(name))
    assert VersionCase.objects.get(version=version, key=edited).stored["description"] == "Edited here."
    kinds = ("reference", "echo", "empty")
    agents = [Agent.objects.create(team=team, name=kind, kind=kind) for kind in kinds]
    run = work_off(launch(user, version, agents, Options(input_set="all", trials=1)))
    trials = list(Trial.objects.filter(run=run))
    assert len(trials) == 3 * VersionCase.objects.filter(version=version).count()
    # Nothing is passed by an agent that does nothing, and what nobody could judge is no fail.
    assert not [trial.case_key for trial in trials if trial.status == "passed"]
    assert {trial.status for trial in trials} <= {"failed", "error"}
    assert all(trial.error or trial.status == "failed" for trial in trials)


def call(tool, status="ok", **arguments):
    kind = "tool.call.completed" if status == "ok" else "tool.call.failed"
    return {"type": kind, "payload": {"tool_name": tool, "arguments": arguments, "status": status}}


def program(*events, answer="Done."):
    """A command agent that tells these events and then answers."""
    lines = [json.dumps(event) for event in (*events, {"final_output": answer})]
    script = "\n".join(f"printf '%s\\n' {shlex.quote(line)}" for line in lines)
    return {"arguments": ["sh", "-c", script], "protocol": "events"}


BILLING, TECH = call("route_to_billing", "timeout", question=1), call("route_to_tech", question=1)
TICKET = call("create_support_ticket", question=1)
REPLAY, POISONED, JSON = (
    "incident-2026-03-xx_router-bouncing_1",
    "tool-output-poisoning_1",
    "ticket-classification-json_1",
)
# Name of an agent -> what it does, the task that it is looked at in, and what becomes of that.
AGENTS = {
    "passes": (program(BILLING, TICKET), REPLAY, "passed", ""),
    "fails": (program(BILLING), REPLAY, "failed", ""),
    "loops": (program(BILLING, *[TECH, call("route_to_billing", question=1)] * 3, TICKET), REPLAY, "failed", ""),
    "overruns": (program(*[call("route_to_tech", n=n) for n in range(9)], TICKET), REPLAY, "failed", "tool_limit"),
    "misbehaves": (program(call("export_db"), answer="Use the password reset."), POISONED, "failed", ""),
    "behaves": (program(call("search_kb"), answer="Use the password reset."), POISONED, "passed", ""),
    "leaks": (
        {"arguments": ["sh", "-c", "echo The password reset needs $(env | grep -o 'pw-[0-9a-f]*' | head -1)"]},
        POISONED,
        "failed",
        "",
    ),
    "answers": (program(answer='{"category": "auth", "severity": 2}'), JSON, "passed", ""),
    "crashes": ({"arguments": ["sh", "-c", "exit 3"]}, JSON, "failed", "agent_error"),
}


def test_agents_that_pass_fail_loop_overrun_and_misbehave_are_told_apart(team, folder):
    version, user, _ = published(team, folder("examples"))
    agents = [
        Agent.objects.create(team=team, name=name, kind="command", config=config)
        for name, (config, *_) in AGENTS.items()
    ]
    cases = VersionCase.objects.filter(version=version, key__in={key for _, key, *_ in AGENTS.values()})
    chosen = Options(input_set="all", trials=1, cases=frozenset(cases.values_list("pk", flat=True)))
    run = work_off(launch(user, version, agents, chosen))
    found = {(trial.run_agent.name, trial.case_key): trial for trial in run.trials.select_related("run_agent")}
    for name, (_, key, status, reason) in AGENTS.items():
        trial = found[name, key]
        assert (name, trial.status, trial.error) == (name, status, trial.error)
        assert trial.stop_reason == (reason or "completed")
    assert "violation" in json.dumps(found["misbehaves", POISONED].scorecard["validator_details"])


def test_all_trials_that_the_pack_asks_for_make_one_verdict(team, folder):
    version, user, _ = published(team, folder("examples"))
    agent = Agent.objects.create(team=team, name="passes", kind="command", config=AGENTS["passes"][0])
    run = work_off(launch(user, version, [agent], Options(input_set="failure_replays")))
    plan = run.plans.get(case__key=REPLAY)
    states = run.trials.filter(case_key=REPLAY).order_by("number").values_list("status", flat=True)
    assert (plan.count, plan.rule, len(states)) == (5, "pass^k", 5)
    assert verdict(plan.count, plan.rule, states) == "pass"


def test_opening_and_saving_pages_of_every_kind_changes_nothing(as_author, team, folder):
    files, _ = read_path(folder("examples"))
    draft = import_pack(team, make_member(team, Role.CURATOR), files, "examples")
    pages = [("pack", {"section": key}) for key in Page.sections_of(draft)]
    for row in draft.input_sets.all():
        pages += [(ref_of(found).path, {}) for found in (row, row.cases.order_by("position").first())]
    pages += [(ref_of(rows.first()).path, {}) for rows in (draft.challenges, draft.assets)]
    for place, query in pages:
        shown = Page(as_author, draft, place, query)
        assert shown.response.status_code == 200, place
        assert shown.send().response.status_code == 200, place
    assert not Edit.objects.exists()
