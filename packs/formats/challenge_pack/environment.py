"""Where a task runs and what bounds it (challenge-pack a.4, a.5, c.3 to c.5, c.8, d.1, d.4)."""

from collections.abc import Callable, Container, Iterator
from pathlib import PurePosixPath
from typing import Any

from packs.formats.challenge_pack.values import content_name, text
from packs.formats.document import Document, Pack
from packs.formats.task import Budgets, Capture, Environment, WorkspaceFile
from packs.formats.values import mapping

DEFAULT_DIRECTORY = "/workspace"
WORKSPACE_KIND = "workspace"


def environment_of(
    manifest: Document, pack: Pack, challenge: Document, case: Document, withheld: Container[str]
) -> Environment:
    """The environment of one case; manifest, challenge and case in normal form. The agent gets no `withheld` asset."""
    sandbox = mapping(manifest.get("sandbox"))
    policy, system = mapping(manifest["tool_policy"]), mapping(manifest["filesystem"])
    security = mapping(manifest.get("security"))
    return Environment(
        mode=str(manifest["version"].get("execution_mode") or "native"),
        working_directory=directory_of(system),
        files=(
            *asset_files(pack, challenge, case, lambda key: key not in withheld),
            *_files(case, security, directory_of(system)),
        ),
        planted=tuple(_outside(security, directory_of(system))),
        variables=_variables(sandbox, security),
        network=sandbox.get("network_access") is True,
        network_allowlist=_texts(sandbox.get("network_allowlist")),
        packages=_texts(sandbox.get("additional_packages")),
        image=str(sandbox.get("sandbox_template_id") or ""),
        tools=mapping(manifest.get("tools")),
        tool_policy=policy,
        filesystem=system,
        captures=tuple(_captures(mapping(manifest["evaluation_spec"]))),
        obstacle=_obstacle(sandbox),
    )


def _obstacle(sandbox: Document) -> str:
    """References in variables of the sandbox are refused when a run starts (challenge-pack a.5)."""
    variables = mapping(sandbox.get("env_vars"))
    name = next((name for name, value in variables.items() if isinstance(value, str) and "${" in value), "")
    return f"The variable {name} in version.sandbox.env_vars refers to something with ${{...}}." if name else ""


def budgets_of(spec: Document, case: Document) -> Budgets:
    """The limits of one trial; a time limit of the case replaces that of the spec (challenge-pack a.8)."""
    limits = mapping(spec.get("runtime_limits"))
    own = _number(case.get("case_timeout_seconds"))
    longest = _number(limits.get("max_duration_ms"))
    steps, tokens = _number(limits.get("max_iterations")), _number(limits.get("max_total_tokens"))
    return Budgets(
        wall_seconds=float(own) if own and own > 0 else (longest / 1000 if longest is not None else None),
        steps=int(steps) if steps is not None else None,
        total_tokens=int(tokens) if tokens is not None else None,
        cost_usd=_number(limits.get("max_cost_usd")),
    )


def _mappings(value: Any) -> list[Document]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _variables(sandbox: Document, security: Document) -> dict[str, str]:
    """The sandbox's variables and the secrets that are planted in the environment."""
    stated = {name: value for name, value in mapping(sandbox.get("env_vars")).items() if isinstance(value, str)}
    return stated | {secret["name"]: secret["value"] for secret in _planted(security, "env")}


def _planted(security: Document, location: str) -> Iterator[Document]:
    for secret in _mappings(security.get("planted_secrets")):
        if secret.get("location") == location and "name" in secret and "value" in secret:
            yield secret


def directory_of(system: Document) -> str:
    directory = system.get("working_directory")
    return directory if isinstance(directory, str) and directory else DEFAULT_DIRECTORY


def _files(case: Document, security: Document, directory: str) -> Iterator[WorkspaceFile]:
    yield from _written_files(case["payload"].get("workspace_files") if isinstance(case["payload"], dict) else None)
    for given in _mappings(case.get("inputs")):
        if given.get("kind") == WORKSPACE_KIND:
            yield from _written_files(given.get("value"))
    for file in _secret_files(security):
        if not _is_outside(file.path, directory):
            yield file


def _outside(security: Document, directory: str) -> Iterator[WorkspaceFile]:
    """The planted secrets that do not lie in the working directory."""
    for file in _secret_files(security):
        if _is_outside(file.path, directory):
            yield file


def _secret_files(security: Document) -> Iterator[WorkspaceFile]:
    """Secrets that are planted as files; the home of programs is the working directory."""
    for secret in _planted(security, "file"):
        if isinstance(secret.get("file_path"), str):
            yield WorkspaceFile(secret["file_path"].removeprefix("~/"), secret["value"])


def _is_outside(path: str, directory: str) -> bool:
    pure = PurePosixPath(path)
    return pure.is_absolute() and not pure.is_relative_to(directory)


def asset_files(
    pack: Pack, challenge: Document, case: Document, is_wanted: Callable[[str], bool]
) -> Iterator[WorkspaceFile]:
    """Assets with bytes, wanted by their keys; one without bytes is only a name and a path (challenge-pack c.3)."""
    for asset in pack.assets:
        if is_wanted(asset.key.strip()) and (asset.has_bytes or asset.document.get("artifact_id")):
            yield WorkspaceFile(asset.path, asset_key=asset.key)
    kept = {file.path for file in pack.files}
    for document in (*_mappings(challenge.get("assets")), *_mappings(case.get("assets"))):
        path = document.get("path")
        if isinstance(path, str) and content_name(path) in kept and is_wanted(text(document, "key")):
            yield WorkspaceFile(path)


def _written_files(value: Any) -> Iterator[WorkspaceFile]:
    for entry in _mappings(value):
        path, content = entry.get("path"), entry.get("content")
        if isinstance(path, str) and path.strip() and isinstance(content, str):
            yield WorkspaceFile(path.strip(), content)


def _captures(spec: Document) -> Iterator[Capture]:
    for check in _mappings(spec.get("post_execution_checks")):
        size = _number(check.get("max_size_bytes"))
        yield Capture(
            key=str(check.get("key", "")).strip(),
            kind=str(check.get("type", "")),
            path=str(check.get("path", "")).strip(),
            recursive=check.get("recursive") is True,
            max_size_bytes=int(size) if size else 0,
        )
