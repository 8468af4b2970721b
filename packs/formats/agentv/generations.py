"""Generations of the format (agentv D.3, M): recognising them, and what a repository loses from one to the other."""

from collections.abc import Iterable
from typing import Any

from packs.formats.agentv.reading import is_text
from packs.formats.document import Document
from packs.formats.values import listing, mapping

CLASSIC_KEYS = ("source", "checkout", "clone")
PINNED_KEYS = ("repo", "commit", "base_commit", "ancestor", "sparse")


def is_pinned(repositories: Iterable[Document]) -> bool:
    """Whether repositories are written in the pinned form: one of them says `repo` or `commit`."""
    return any("repo" in each or "commit" in each for each in repositories)


def to_pinned(repository: Document) -> tuple[Document, list[str]]:
    """A repository in the pinned form, and what it cannot say there."""
    source, checkout = mapping(repository.get("source")), mapping(repository.get("checkout"))
    clone = mapping(repository.get("clone"))
    losses = [f"checkout.{key}" for key in ("resolve",) if key in checkout]
    losses += [f"clone.{key}" for key in ("depth", "filter") if key in clone]
    if source.get("type") == "local":
        losses.append("source.path")
    found = {key: value for key, value in repository.items() if key not in CLASSIC_KEYS}
    if is_text(source.get("url")):
        found["repo"] = source["url"]
    commit = checkout.get("base_commit", checkout.get("ref"))
    if commit is not None:
        found["commit"] = commit
    found |= {key: part[key] for key, part in (("ancestor", checkout), ("sparse", clone)) if key in part}
    return found, losses


def to_classic(repository: Document) -> tuple[Document, list[str]]:
    """A repository in the classic form; nothing is lost."""
    if "repo" not in repository and "commit" not in repository and "base_commit" not in repository:
        return repository, []
    found = {key: value for key, value in repository.items() if key not in PINNED_KEYS}
    if is_text(repository.get("repo")):
        found["source"] = {"type": "git", "url": _address(repository["repo"])}
    checkout: dict[str, Any] = {}
    commit = repository.get("commit", repository.get("base_commit"))
    if commit is not None:
        checkout["base_commit"] = commit
    if "ancestor" in repository:
        checkout["ancestor"] = repository["ancestor"]
    if checkout:
        found["checkout"] = checkout
    if "sparse" in repository:
        found["clone"] = {"sparse": repository["sparse"]}
    return found, []


def _address(repo: str) -> str:
    """The URL of a repository that may be written as owner and name."""
    is_short = repo.count("/") == 1 and ":" not in repo and not repo.startswith((".", "/"))
    return f"https://github.com/{repo}.git" if is_short else repo


def repositories_of(workspace: Any) -> list[Document]:
    """The repositories of a workspace that are mappings."""
    return [item for item in listing(mapping(workspace).get("repos")) if isinstance(item, dict)]
