"""The gates of a pack: their policies, their verdicts so far, and how a pipeline checks them."""

import shlex
from collections.abc import Sequence
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.access import Permission
from packs.formats import adapter_of
from packs.models import Pack, PackVersion
from packs.views.shared.lookup import Subject, find_pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import PACK, url_of
from runs.gates import SHORT, GatePolicy, read_policy
from runs.gates.sections import as_section, section_troubles
from runs.jobs.gating.cases import sets_of
from runs.jobs.gating.checks import GateRefused, gate_section, own_sets
from runs.launch.gating import Start, choose_sets, start_for_gate
from runs.launch.gating.scheduling import Moment, next_time
from runs.launch.gating.starting import newest_version
from runs.launch.refusals import LaunchRefused
from runs.models import Agent, Gate, GateCheck, GateSchedule, GateSettings, GateVerdict
from runs.views.gates.checks import visible_checks
from runs.views.gates.forms import form_of, read_section
from runs.views.gates.words import ABOUT, policy_words

PAGE_CHECKS = 30
LIGHT = ("members", "policy", "suites")


def newest_of(pack: Pack) -> PackVersion | None:
    """The newest version of a pack, whatever its state."""
    rows: QuerySet[PackVersion] = pack.versions.select_related("pack__team").defer("challenges", "assets", "files")
    return rows.order_by("-number").first()


def gate_named(short: str) -> str:
    """The gate that an address means. Raises Http404."""
    if short not in SHORT:
        raise Http404
    return SHORT[short]


def policy_now(version: PackVersion | None, gate: str) -> tuple[GatePolicy, str]:
    """The policy of a gate for the newest version, and where it is stated."""
    if version is None:
        return read_policy(gate), "defaults"
    section, source = gate_section(version, gate)
    return read_policy(gate, section, own_sets(version)), source


def schedule_lines(rows: QuerySet[GateSchedule]) -> list[dict[str, Any]]:
    """Schedules, each with its times in words and its next one."""
    return [{"row": row, "words": Moment.of(row).words, "next": next_time(row)} for row in rows]


def schedules_of(pack: Pack, gate: str = "") -> QuerySet[GateSchedule]:
    rows = GateSchedule.objects.filter(pack=pack).select_related("agent", "owner", "last_run")
    return rows.filter(gate=gate) if gate else rows


@signed_in("GET")
def pack_gates(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """The gates of a pack, each with its last verdict and its next run."""
    subject = find_pack(request.user, team, slug)
    version = newest_of(subject.pack)
    cards = [gate_card(request.user, subject.pack, version, short) for short in SHORT]
    context = {**subject.context, "versions": [version] if version else [], "cards": cards}
    return render(request, "runs/gates/list.html", context)


def gate_card(user: Any, pack: Pack, version: PackVersion | None, short: str) -> dict[str, Any]:
    gate = SHORT[short]
    checks = visible_checks(user).filter(pack=pack, gate=gate).defer(*LIGHT)
    policy, source = policy_now(version, gate)
    return {
        "short": short,
        "label": Gate(gate).label,
        "about": ABOUT[gate],
        "latest": list(checks[:8]),
        "words": policy_words(policy),
        "source": source,
        "schedules": schedule_lines(schedules_of(pack, gate)),
    }


@signed_in("GET")
def gate_page(request: HttpRequest, team: str, slug: str, gate: str) -> HttpResponse:
    """A gate of a pack with its history. Parameters: verdict, branch, page."""
    subject, name = find_pack(request.user, team, slug), gate_named(gate)
    return render(request, "runs/gates/gate.html", gate_context(request, subject, gate, name))


def gate_context(request: HttpRequest, subject: Subject, short: str, name: str) -> dict[str, Any]:
    pack, version, query = subject.pack, newest_of(subject.pack), request.GET
    rows = visible_checks(request.user).filter(pack=pack, gate=name).defer("members", "policy", "suites")
    branched = GateCheck.objects.filter(pack=pack, gate=name).exclude(branch="").order_by("branch")
    for field in ("verdict", "branch"):
        if query.get(field):
            rows = rows.filter(**{field: query[field]})
    policy, source = policy_now(version, name)
    agents = Agent.objects.filter(team=pack.team, is_active=True).order_by("name")
    return {
        **subject.context,
        "versions": [version] if version else [],
        "short": short,
        "gate": name,
        "gate_label": Gate(name).label,
        "about": ABOUT[name],
        "page": Paginator(rows, PAGE_CHECKS).get_page(query.get("page")),
        "branches": branched.values_list("branch", flat=True).distinct(),
        "verdicts": GateVerdict.choices,
        "chosen": {field: query.get(field, "") for field in ("verdict", "branch")},
        "words": policy_words(policy),
        "source": source,
        "states_gates": bool(adapter_of(pack.format).GATES_POINTER),
        "draft_url": draft_url(pack, name),
        "schedules": schedule_lines(schedules_of(pack, name)),
        "agents": agents,
        "sets": named_sets(version),
        **snippets(request, pack, short, agents.first()),
    }


def named_sets(version: PackVersion | None) -> Sequence[str]:
    """The input sets of which one has to be chosen; none in formats whose runs take all."""
    if version is None or choose_sets(version):
        return []
    sets = sets_of(version.pk)
    return sets if len(sets) > 1 else []


def draft_url(pack: Pack, gate: str) -> str:
    """Where a draft states the policy of a gate; empty in formats that have no place for it."""
    pointer = adapter_of(pack.format).GATES_POINTER
    return url_of(pack, "edit-node", PACK, section=f"{pointer.strip('/')}.{gate}") if pointer else ""


CURL = """\
# PACKWRIGHT_TOKEN is a key from your account page; BRANCH, COMMIT and MERGE_BASE say what is judged.
body=$(jq -n --arg agent {agent} --arg branch "$BRANCH" --arg commit "$COMMIT" --arg base "$MERGE_BASE" \\
  '{{gate: "{gate}", team: "{team}", pack: "{pack}", agent: $agent,
    ci_metadata: {{branch: $branch, commit: $commit, merge_base: $base}}}}')
ask() {{ curl -fsS -H "Authorization: Bearer $PACKWRIGHT_TOKEN" "$@"; }}
run=$(ask "$PACKWRIGHT_URL/api/v1/gate-runs/" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: {gate}-$COMMIT-${{ATTEMPT:-1}}" -d "$body") || {{ [ $? = 22 ] && exit 2; exit 3; }}
result="$PACKWRIGHT_URL/api/v1/gate-runs/$(echo "$run" | jq .run_id)"
for _ in $(seq 720); do
  found=$(ask "$result/?gate={gate}") || exit 3
  [ "$(echo "$found" | jq .done)" = true ] && break
  sleep 5
done
ask "$result/junit/?gate={gate}" -o gate.xml || true
echo "$PACKWRIGHT_URL$(echo "$found" | jq -r .links.page)"
exit "$(echo "$found" | jq .exit_code)"
"""
WORKFLOW = """\
gate:
  runs-on: ubuntu-latest
  timeout-minutes: 60
  steps:
    - uses: actions/checkout@v4
      with: {{fetch-depth: 0}}
    - name: {label} of {pack}
      env:
        PACKWRIGHT_URL: {url}
        PACKWRIGHT_TOKEN: ${{{{ secrets.PACKWRIGHT_TOKEN }}}}
        BRANCH: ${{{{ github.head_ref || github.ref_name }}}}
        COMMIT: ${{{{ github.sha }}}}
        ATTEMPT: ${{{{ github.run_attempt }}}}
      run: |
        MERGE_BASE=$(git merge-base origin/main HEAD)
{script}
"""


GITLAB = """\
gate:
  image: debian:stable-slim
  timeout: 60 minutes
  variables:
    GIT_DEPTH: "0"
    PACKWRIGHT_URL: {url}
  # PACKWRIGHT_TOKEN is a masked variable of the project.
  before_script:
    - apt-get update -qq && apt-get install -qq -y ca-certificates curl git jq
  script:
    - |
      BRANCH=${{CI_MERGE_REQUEST_SOURCE_BRANCH_NAME:-$CI_COMMIT_REF_NAME}} COMMIT=$CI_COMMIT_SHA ATTEMPT=$CI_JOB_ID
      git fetch -q origin "${{CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-$CI_DEFAULT_BRANCH}}"
      MERGE_BASE=$(git merge-base FETCH_HEAD HEAD)
{script}
  artifacts:
    when: always
    paths: [gate.xml]
    reports:
      junit: gate.xml
"""


def indented(script: str, width: int) -> str:
    return "".join(f"{' ' * width}{line}\n" for line in script.splitlines()).rstrip("\n")


def snippets(request: HttpRequest, pack: Pack, short: str, agent: Agent | None) -> dict[str, str]:
    """What a pipeline runs: a shell script with curl and jq, the same as jobs, and the command of the studio."""
    name = agent.name if agent else "AGENT"
    script = CURL.format(gate=short, team=pack.team.slug, pack=pack.slug, agent=shlex.quote(name))
    url = request.build_absolute_uri("/").rstrip("/")
    command = f"manage.py gate start {pack.slug} --gate {short} --agent {shlex.quote(name)} --junit gate.xml"
    return {
        "curl": f'PACKWRIGHT_URL="{url}"\n{script}',
        "workflow": WORKFLOW.format(
            label=Gate(SHORT[short]).label, pack=pack.slug, url=url, script=indented(script, 8)
        ),
        "gitlab": GITLAB.format(url=url, script=indented(script, 6)),
        "command": command,
    }


@signed_in("POST")
def start_run(request: HttpRequest, team: str, slug: str, gate: str) -> HttpResponse:
    """Start a run for a gate. Parameters: agent (its id), branch, set."""
    subject, name = find_pack(request.user, team, slug, Permission.RUN), gate_named(gate)
    number, branch = request.POST.get("agent", ""), request.POST.get("branch", "").strip()[:255]
    rows = Agent.objects.filter(team=subject.pack.team, is_active=True)
    agent = rows.filter(pk=int(number)).first() if number.isdecimal() and len(number) < 19 else None
    if agent is None:
        messages.error(request, "Choose an agent.")
        return redirect("runs:gate", team, slug, gate)
    wanted = Start(name, input_set=request.POST.get("set", ""), metadata={"branch": branch} if branch else {})
    try:
        run = start_for_gate(cast(User, request.user), newest_version(subject.pack), agent, wanted)
    except (LaunchRefused, GateRefused) as refused:
        messages.error(request, refused.message)
        return redirect("runs:gate", team, slug, gate)
    messages.success(request, "The run was started; its verdict is given when it has ended.")
    return redirect("runs:show", run.pk)


@signed_in("GET", "POST")
def gate_policy(request: HttpRequest, team: str, slug: str, gate: str) -> HttpResponse:
    """The policy of a gate where the format has none. POST: the fields; `reset` for the defaults."""
    needed = Permission.CURATE if request.method == "POST" else Permission.READ
    subject, name = find_pack(request.user, team, slug, needed), gate_named(gate)
    pack, version = subject.pack, newest_of(subject.pack)
    if adapter_of(pack.format).GATES_POINTER:
        return redirect(draft_url(pack, name))
    section, troubles = as_section(policy_now(version, name)[0]), []
    if request.method == "POST" and "reset" in request.POST:
        GateSettings.objects.filter(pack=pack, gate=name).delete()
        messages.success(request, "The gate uses its default policy now.")
        return redirect("runs:gate", team, slug, gate)
    if request.method == "POST":
        section = read_section(request.POST, name)
        troubles = section_troubles(section, name)
        if not troubles:
            values = {"section": section, "changed_by": cast(User, request.user)}
            GateSettings.objects.update_or_create(pack=pack, gate=name, defaults=values)
            messages.success(request, "Saved. Earlier verdicts do not change.")
            return redirect("runs:gate", team, slug, gate)
    context = {
        **subject.context,
        "short": gate,
        "gate_label": Gate(name).label,
        "form": form_of(section, name, own_sets(version) or [] if version else []),
        "troubles": troubles,
        "may_curate": Permission.CURATE in subject.may,
    }
    return render(request, "runs/gates/policy.html", context, status=422 if troubles else 200)
