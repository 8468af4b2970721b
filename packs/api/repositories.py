"""The repository that a pack is bound to, over the API."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from packs.access import Permission
from packs.api.jobs import JobShape, accepted
from packs.api.shared.bodies import Body, read_body
from packs.api.shared.endpoint import Endpoint
from packs.api.shared.lookup import author_of, find_pack, find_team
from packs.api.shared.refusals import Refused, finding
from packs.jobs import start_new_from_repository, start_repository
from packs.jobs.repositories import REPOSITORY_ACTS
from packs.models import GitFolder, Pack
from packs.remotes import Folder, RemoteRefused
from packs.repositories import bind


class GitFolderBody(Body):
    """Where a pack lives. `secret` is the name of a secret of the team: over https a password or token, over ssh a
    private key, which needs the `host_keys` of the host, lines of a known_hosts file."""

    address = serializers.CharField(max_length=500)
    branch = serializers.CharField(max_length=200)
    folder = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)
    user = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    secret = serializers.CharField(max_length=120, required=False, default="", allow_blank=True)
    host_keys = serializers.CharField(max_length=20_000, required=False, default="", allow_blank=True)


class NewFromGitBody(GitFolderBody):
    """The folder, the team that gets the pack, and its slug where that of the files is not wanted."""

    team = serializers.SlugField(required=False, default="", allow_blank=True)
    slug = serializers.SlugField(max_length=120, required=False, default="", allow_blank=True)


class GitFolderShape(serializers.Serializer[Any]):
    """Where a pack lives, the commit of the last pull or push, and the newest one that was seen; empty before."""

    address = serializers.CharField()
    branch = serializers.CharField()
    folder = serializers.CharField()
    user = serializers.CharField()
    secret = serializers.CharField()
    commit = serializers.CharField()
    fetched_commit = serializers.CharField()
    synced_at = serializers.DateTimeField(allow_null=True)
    fetched_at = serializers.DateTimeField(allow_null=True)


class PullBody(Body):
    """The commit that a look found. `seen` are the names of its conflicts, `theirs` those in which the repository wins.
    Before the first pull and push, `keeps` says which side is the pack."""

    commit = serializers.CharField(max_length=64)
    seen = serializers.ListField(child=serializers.CharField(trim_whitespace=False), required=False, default=list)
    theirs = serializers.ListField(child=serializers.CharField(trim_whitespace=False), required=False, default=list)
    keeps = serializers.ChoiceField(["repository", "draft"], required=False, default="repository")


class PushBody(Body):
    """What the commit says, and the branch that it goes to: that of the folder where none is named."""

    message = serializers.CharField(max_length=5_000)
    branch = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


def show(row: GitFolder) -> dict[str, Any]:
    names = ("address", "branch", "folder", "secret", "commit", "fetched_commit", "synced_at", "fetched_at")
    return {**{name: getattr(row, name) for name in names}, "user": row.user_name}


def bound(pack: Pack) -> GitFolder:
    """The folder of a pack. Raises Refused (404)."""
    row: GitFolder | None = GitFolder.objects.filter(pack=pack).first()
    if row is None:
        raise Refused([finding("not_bound", "This pack is not bound to a repository.")], 404)
    return row


class PackFromGit(Endpoint):
    @extend_schema(operation_id="packs_create_from_git", request=NewFromGitBody, responses={202: JobShape})
    def post(self, request: Request) -> Response:
        """Look at a folder for a new pack.

        The outcome of the job is the preview of an import; confirming its token creates the pack and binds it to the
        folder.
        """
        wish = read_body(NewFromGitBody, request)
        team, slug = find_team(request, wish.pop("team"), Permission.ADMINISTER), wish.pop("slug")
        try:
            return accepted(start_new_from_repository(team, author_of(request), Folder(**wish), slug))
        except RemoteRefused as refused:
            raise Refused([finding(refused.code, refused.message)]) from refused


class PackGit(Endpoint):
    @extend_schema(operation_id="packs_git", responses=GitFolderShape)
    def get(self, request: Request, pk: int) -> Response:
        """The folder of a Git repository that the pack is bound to."""
        return Response(show(bound(find_pack(request, pk))))

    @extend_schema(operation_id="packs_git_bind", request=GitFolderBody, responses=GitFolderShape)
    def put(self, request: Request, pk: int) -> Response:
        """Bind the pack to a folder; what was known of another one is forgotten."""
        pack = find_pack(request, pk, Permission.ADMINISTER)
        given = read_body(GitFolderBody, request)
        try:
            return Response(show(bind(pack, Folder(**given))))
        except RemoteRefused as refused:
            raise Refused([finding(refused.code, refused.message)]) from refused

    @extend_schema(operation_id="packs_git_unbind", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Bind the pack to no repository; draft and repository stay as they are."""
        bound(find_pack(request, pk, Permission.ADMINISTER)).delete()
        return Response(status=204)


class GitAct(Endpoint):
    """One act; each has an address of its own."""

    kind = ""

    def begin(self, request: Request, pk: int, body: type[Body] | None = None) -> Response:
        pack = find_pack(request, pk, REPOSITORY_ACTS[self.kind].needed)
        bound(pack)
        parameters: dict[str, Any] = {}
        if body is not None:
            parameters = read_body(body, request)
        if "theirs" in parameters:
            parameters["chosen"] = parameters.pop("theirs")
        return accepted(start_repository(self.kind, pack, author_of(request), parameters))


class GitLook(GitAct):
    kind = "git-look"

    @extend_schema(operation_id="packs_git_look", request=None, responses={202: JobShape})
    def post(self, request: Request, pk: int) -> Response:
        """See what the repository has. The outcome of the job says what a pull would bring, with its conflicts."""
        return self.begin(request, pk)


class GitPull(GitAct):
    kind = "git-pull"

    @extend_schema(operation_id="packs_git_pull", request=PullBody, responses={202: JobShape})
    def post(self, request: Request, pk: int) -> Response:
        """Merge what a look found into the draft, as one edit. Conflicts that were not seen refuse it."""
        return self.begin(request, pk, PullBody)


class GitPush(GitAct):
    kind = "git-push"

    @extend_schema(operation_id="packs_git_push", request=PushBody, responses={202: JobShape})
    def post(self, request: Request, pk: int) -> Response:
        """Write the draft as a commit after the last pull or push."""
        return self.begin(request, pk, PushBody)
