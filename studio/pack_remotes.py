"""Repositories of packs, reached by git in the sandbox of this site with the secrets of the pack's team."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.conf import settings

from packs.formats.repositories import allowed_address
from packs.remotes import Fetched, Folder, RemoteRefused, Signature
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.models import Secret
from runs.models.sealing import Unsealable
from runs.remotes import Login, Repository
from runs.sandbox.contract import PathRefused, Room, SandboxUnavailable, WorkspaceFull

SCHEMES = ("https://", "http://", "ssh://")


class PackRemotes:
    """See `packs.remotes.Remote`."""

    def secret_names(self, team: int) -> Sequence[str]:
        return list(Secret.objects.filter(team=team).order_by("name").values_list("name", flat=True))

    def checked(self, address: str) -> str:
        found = allowed_address(settings.WORKSPACE_SOURCES, address)
        if found is None or (found.partition("://")[1] and not found.startswith(SCHEMES)):
            raise RemoteRefused(
                "not_allowed",
                f"This studio may not use the repository {address!r}. An administrator allows it with "
                "PACKWRIGHT_WORKSPACE_SOURCES; the address is https or ssh, without a password.",
            )
        return found

    def fetch(self, team: int, place: Folder) -> Fetched:
        with self._repository(team, place) as repository:
            return repository.fetch()

    def push(
        self, team: int, place: Folder, base: str, changes: Mapping[str, bytes | None], by: Signature, onto: str = ""
    ) -> str:
        with self._repository(team, place) as repository:
            return repository.push(base, changes, by, onto)

    @contextmanager
    def _repository(self, team: int, place: Folder) -> Iterator[Repository]:
        """A workspace for git. The address is compared with the list each time, for that may have changed."""
        self.checked(place.address)
        login = Login(place.user, self._secret(team, place.secret), place.host_keys)
        try:
            with chosen_sandbox().open_workspace(Room()) as workspace:
                yield Repository(workspace, place, login)
        except (SandboxUnavailable, WorkspaceFull, PathRefused) as trouble:
            raise RemoteRefused("no_sandbox", f"Git cannot run here: {trouble}") from trouble

    def _secret(self, team: int, name: str) -> str:
        if not name:
            return ""
        row = Secret.objects.filter(team=team, name=name).first()
        try:
            return row.value() if row is not None else self._missing(name)
        except Unsealable:
            return self._missing(name)

    def _missing(self, name: str) -> str:
        raise RemoteRefused("no_secret", f"The team has no secret {name!r} that can be opened. Set it under Secrets.")
