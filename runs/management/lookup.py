"""What the words of a command line name, beside teams, packs and users: versions, agents and runs."""

from typing import TYPE_CHECKING

from packs.management.answers import Misuse
from packs.management.lookup import MAX_CHOICES
from packs.models import PackVersion, Team, VersionStatus
from runs.models import Agent, Run

if TYPE_CHECKING:
    from runs.launch.refusals import LaunchRefused


def find_version(team: Team, text: str) -> PackVersion:
    """`SLUG` or `SLUG@NUMBER`. Raises Misuse."""
    slug, _, number = text.partition("@")
    rows = PackVersion.objects.filter(pack__team=team, pack__slug=slug).order_by("-number")
    versions: list[PackVersion] = list(rows)
    for row in versions:
        if str(row.number) == number or (not number and row.status == VersionStatus.RUNNABLE):
            return row
    known = [{"version": f"{slug}@{row.number}", "status": row.status} for row in versions] or packs_of(team)
    raise Misuse(f"There is no version {text!r} that can be run.", "invalid_challenge_pack_version_id", known)


def packs_of(team: Team) -> list[dict[str, str]]:
    """Packs of a team that have a version which can be run, as choices."""
    rows = PackVersion.objects.filter(pack__team=team, status=VersionStatus.RUNNABLE)
    slugs = rows.order_by("pack__slug").values_list("pack__slug", flat=True).distinct()
    return [{"pack": slug} for slug in slugs[:MAX_CHOICES]]


def find_agents(team: Team, names: list[str]) -> list[Agent]:
    """The agents of a team by their names. Raises Misuse."""
    known = {agent.name: agent for agent in Agent.objects.filter(team=team)}
    missing = [name for name in names if name not in known]
    if missing:
        choices = [{"name": agent.name, "kind": agent.kind} for agent in known.values() if agent.is_active]
        raise Misuse(f"There is no agent {missing[0]!r}.", "invalid_agent_deployment_ids", choices)
    return [known[name] for name in names]


def find_run(number: int) -> Run:
    run: Run | None = Run.objects.filter(pk=number).first()
    if run is None:
        raise Misuse(f"There is no run {number}.", "not_found")
    return run


def misuse_of(refused: "LaunchRefused") -> Misuse:
    """Why no run begins, with the option that is missing: the commands that start runs name input sets alike."""
    how = " Name it with --input-set KEY." if refused.code == "missing_challenge_input_set_id" else ""
    return Misuse(f"{refused.message}{how}", refused.code, refused.choices)
