"""Tools: what an agent that a model plays may do in its workspace (challenge-pack c.5).

A built-in tool is a `Primitive` of one of the modules here, listed in `PRIMITIVES` under its name. Everything that a
tool does is recorded as events; the agent learns what is wrong with a call, and may try something else.
"""

from collections.abc import Mapping

from packs.formats.task import Task
from runs.agents.endpoints.addresses import AllowList
from runs.agents.tools import commands, data, files, network, submission
from runs.agents.tools.contract import Bench, Primitive, Record, ToolResult
from runs.agents.tools.delegation import own_tools
from runs.agents.tools.faults import Faults
from runs.agents.tools.policy import WITH_TOOLS, is_allowed, is_visible, texts
from runs.agents.tools.toolbox import Toolbox
from runs.replay.redaction import Redactor
from runs.sandbox.contract import Workspace

__all__ = ["PRIMITIVES", "Toolbox", "ToolResult", "toolbox_of"]

PRIMITIVES: dict[str, Primitive] = {
    primitive.name: primitive
    for module in (submission, files, data, network, commands)
    for primitive in module.PRIMITIVES
}
# Where a pack plants a secret that its tools can name (challenge-pack c.8).
VAULT = "infisical-mock"


def toolbox_of(
    task: Task,
    workspace: Workspace | None,
    record: Record,
    *,
    secrets: Mapping[str, str] | None = None,
    hosts: AllowList | None = None,
) -> Toolbox:
    """The tools that a task gives its agent; none where the agent is not driven with tools.

    `secrets` are those of the team: they are filled in where the pack's tools name them, and never shown. `hosts` are
    the hosts that the studio may call; the task can narrow them, not widen them.
    """
    environment, real = task.environment, dict(secrets or {})
    has_tools = environment.mode in WITH_TOOLS
    known = PRIMITIVES if has_tools else {}
    own = own_tools(environment.tools) if has_tools else {}
    working = {
        name: primitive
        for name, primitive in known.items()
        if is_allowed(primitive, environment) and (workspace is not None or not primitive.needs_workspace)
    }
    names = {name for name in working if is_visible(name, environment, is_own=False)}
    names |= {name for name in own if is_visible(name, environment, is_own=True)}
    filesystem = environment.filesystem
    bench = Bench(
        workspace,
        record,
        environment.working_directory,
        tuple(texts(filesystem.get("readable_roots"))),
        tuple(texts(filesystem.get("writable_roots"))),
        network.reach_of(hosts or AllowList(), environment.network_allowlist),
    )
    return Toolbox(
        bench,
        working,
        own,
        frozenset(names),
        frozenset(known) | frozenset(own),
        {**vault_of(task), **real},
        Redactor(real.values()),
        Faults.of(environment.faults),
    )


def vault_of(task: Task) -> dict[str, str]:
    """The secrets that the pack plants in a mock vault; they are bait, so results may show them."""
    planted = (task.security or {}).get("planted_secrets")
    return {
        secret["name"]: secret["value"]
        for secret in (planted if isinstance(planted, list) else ())
        if isinstance(secret, dict) and secret.get("location") == VAULT and "name" in secret and "value" in secret
    }
