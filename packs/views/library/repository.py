"""The repository of a pack: bound to a folder, looked at, pulled with its conflicts decided, pushed."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.access import Permission
from packs.exporting import kept_files
from packs.jobs import is_large, start_repository
from packs.jobs.repositories import REPOSITORY_ACTS
from packs.models import OPEN_JOBS, GitFolder, Job, JobStatus, Pack
from packs.remotes import RemoteRefused, remote
from packs.repositories import bind, outgoing
from packs.views.shared.folder_form import MONO, FolderFields
from packs.views.shared.lookup import Subject, find_pack
from packs.views.shared.signed_in import signed_in


class PushForm(forms.Form):
    """What a commit says, and where it goes."""

    message = forms.CharField(max_length=5_000, label="Message of the commit", widget=forms.Textarea(attrs={"rows": 3}))
    branch = forms.CharField(max_length=200, widget=forms.TextInput(attrs=MONO))


def row_of(pack: Pack) -> GitFolder | None:
    found: GitFolder | None = GitFolder.objects.filter(pack=pack).select_related("synced_by").first()
    return found


def folder_form(pack: Pack, row: GitFolder | None, data: Any = None) -> FolderFields:
    names = (*remote().secret_names(pack.team_id), *([row.secret] if row and row.secret else []))
    initial = None
    if row is not None:
        initial = {name: getattr(row, name) for name in ("address", "branch", "folder", "secret", "host_keys")}
        initial["user"] = row.user_name
    form = FolderFields(data, initial=initial)
    form.offer(dict.fromkeys(names))
    return form


@signed_in("GET", "POST")
def repository(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """The repository of a pack and what can be done with it; POST binds the pack to a folder (422 where it cannot)."""
    needed = Permission.ADMINISTER if request.method == "POST" else Permission.READ
    subject = find_pack(request.user, team, slug, needed)
    pack, row = subject.pack, row_of(subject.pack)
    if request.method != "POST":
        return show(request, subject, folder_form(pack, row))
    form = folder_form(pack, row, request.POST)
    if form.is_valid():
        try:
            bind(pack, form.place())
        except RemoteRefused as refused:
            form.refuse(refused)
        else:
            return begin(request, subject, "git-look", {})
    return show(request, subject, form, 422)


def show(request: HttpRequest, subject: Subject, form: FolderFields, status: int = 200) -> HttpResponse:
    row, pack = row_of(subject.pack), subject.pack
    jobs = Job.objects.filter(pack=pack, kind__in=REPOSITORY_ACTS, user=request.user.pk)
    looked = jobs.filter(kind="git-look").first()
    # What a look found counts only for what was fetched last.
    is_news = row is not None and looked is not None and looked.outcome.get("commit") == row.fetched_commit
    is_done = looked is not None and looked.status == JobStatus.COMPLETED
    context = {
        **subject.context,
        "folder": row,
        "form": form,
        "job": jobs.filter(status__in=OPEN_JOBS).first(),
        "look": looked.outcome if is_news and looked is not None else None,
        "trouble": looked if not is_done and looked is not None and not looked.is_open else None,
        "outgoing": changed_files(row),
        "is_old": is_news and looked is not None and looked.outcome["revision"] != pack.revision,
        "push_form": PushForm(initial={"branch": row.branch if row else "", "message": f"Update {pack.slug}"}),
    }
    return render(request, "packs/git/page.html", context, status=status)


def changed_files(row: GitFolder | None) -> list[tuple[str, str]] | None:
    """The files that a push would write, each with what it does to them; None where a page cannot say it: before the
    first pull, after news, and for a large draft."""
    if row is None or row.base is None or row.is_behind or is_large(row.pack):
        return None
    before = set(kept_files(row.base))
    acts = {
        name: "removed" if data is None else "changed" if name in before else "added"
        for name, data in outgoing(row).items()
    }
    return sorted(acts.items())


def begin(request: HttpRequest, subject: Subject, kind: str, parameters: dict[str, Any]) -> HttpResponse:
    return redirect("packs:job", start_repository(kind, subject.pack, cast(User, request.user), parameters).pk)


@signed_in("POST")
def act(request: HttpRequest, team: str, slug: str, what: str) -> HttpResponse:
    """Look at the repository, pull from it or push to it, by a job; or unbind the pack.

    A pull takes `commit`, and for each conflict that was shown `seen`, its name, with `theirs` where the repository
    wins; `keeps` says which side is taken where both have nothing in common yet.
    """
    given = request.POST
    if what == "unbind":
        subject = find_pack(request.user, team, slug, Permission.ADMINISTER)
        GitFolder.objects.filter(pack=subject.pack).delete()
        messages.success(request, f"{subject.pack} is no longer bound to a repository. Its draft stays as it is.")
        return redirect("packs:git", team, slug)
    kind = f"git-{what}"
    if kind not in REPOSITORY_ACTS:
        raise Http404
    subject = find_pack(request.user, team, slug, REPOSITORY_ACTS[kind].needed)
    if what == "look":
        return begin(request, subject, kind, {})
    if what == "pull":
        names, commit, keeps = given.getlist("seen"), given.get("commit", ""), given.get("keeps", "")
        chosen = [name for name in names if given.get(f"side:{name}") == "theirs"]
        return begin(request, subject, kind, {"commit": commit, "seen": names, "chosen": chosen, "keeps": keeps})
    form = PushForm(given)
    if not form.is_valid():
        messages.error(request, "Say what the commit changes, and on which branch.")
        return redirect("packs:git", team, slug)
    return begin(
        request, subject, kind, {"message": form.cleaned_data["message"], "branch": form.cleaned_data["branch"]}
    )
