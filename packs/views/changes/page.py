"""The page that shows what is different between two states of a pack."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from packs.access import Permission
from packs.comparing import DRAFT, End, FileDifference, difference_of, file_differences, find_end, usual_ends
from packs.formats.comparing import Act, Head, Kept, NodeChange, counts, heads_of, summary
from packs.formats.comparing.telling import noun
from packs.formats.document import NodeKind
from packs.jobs import start_comparing
from packs.jobs.comparing import compared, is_long, kept, kept_files, parameters_of
from packs.models import Job, JobStatus, Pack
from packs.views.changes.shown import CHIPS, FIRST_FIELDS, MAX_FIELDS, shown_nodes
from packs.views.library.catalogue import Facet, toggled
from packs.views.shared.lookup import Subject, find_pack
from packs.views.shared.signed_in import signed_in

PAGE_NODES = 20
# How many lines of one file, and of all of them, are shown before somebody asks for the file alone.
FILE_LINES = 400
ALL_LINES = 2_000
CHOICES = 50


def ends_of(request: HttpRequest, pack: Pack) -> tuple[End, End]:
    """The two ends that the address names with `from` and `to`. Raises Http404 where there is no such state."""
    given = request.POST if request.method == "POST" else request.GET
    old, new = (find_end(pack, name) for name in usual_ends(pack, given.get("from", ""), given.get("to", "")))
    if old is None or new is None:
        raise Http404
    return old, new


@signed_in("GET")
def changes(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """What is different between two states of a pack.

    Parameters: from, to (`draft`, the number of a version, `r` and a revision of the draft), kind, act, page; node, the
    place of one node in the difference, which is shown whole; files, where the difference of the files is asked for.
    What is too large to be compared in a request leads to the job that does it.
    """
    subject = find_pack(request.user, team, slug)
    old, new = ends_of(request, subject.pack)
    context = {**subject.context, "old": old, "new": new, "choices": choices(subject.pack, old, new)}
    asks_files = "files" in request.GET
    job = comparing(old, new, cast(User, request.user), files=asks_files) if is_long(old, new) else None
    if job is not None and job.status != JobStatus.COMPLETED:
        return redirect("packs:job", job.pk)
    if asks_files:
        files = file_differences(old, new) if job is None else kept_files(job)
        return render(request, "packs/changes/files.html", {**context, **files_context(request, files)})
    found = difference_of(old, new).nodes if job is None else kept(job)
    return render(request, "packs/changes/page.html", {**context, **nodes_context(request, subject, new, found)})


def comparing(old: End, new: End, user: User, *, files: bool = False) -> Job:
    """The job that compares two states, one that has ended where there is one."""
    parameters = parameters_of(old, new, files=files)
    return compared(old.pack, parameters) or start_comparing(old.pack, user, parameters)


def choices(pack: Pack, *ends: End) -> list[tuple[str, str]]:
    """What may be chosen for both ends: the draft, its versions, points with a name, and what is chosen now."""
    found = {DRAFT: "Draft"}
    found |= {str(number): f"Version {number}" for (number,) in pack.versions.values_list("number")[:CHOICES]}
    for point in pack.checkpoints.all()[:CHOICES]:
        found.setdefault(f"r{point.revision}", f"{point.name} (revision {point.revision})")
    found.setdefault("r1", "Beginning")
    return list((found | {end.name: found.get(end.name, str(end)) for end in ends}).items())


def nodes_context(request: HttpRequest, subject: Subject, new: End, found: Sequence[NodeChange]) -> dict[str, Any]:
    """The nodes that the filters let through, a page of them."""
    wanted_kind, wanted_act = request.GET.get("kind", ""), request.GET.get("act", "")
    only, heads = request.GET.get("node", ""), heads_of(found)
    chosen = [
        at
        for at, head in enumerate(heads)
        if (not wanted_kind or head.kind == wanted_kind)
        and (not wanted_act or wanted_act in head.acts)
        and (not only or only == str(at))
    ]
    page = Paginator(chosen, PAGE_NODES).get_page(request.GET.get("page"))
    limit = MAX_FIELDS if only else FIRST_FIELDS
    return {
        "page": page,
        "nodes": list(shown_nodes(subject.pack, part_of(found, page), links=new.is_draft, limit=limit)),
        "total": len(found),
        "summary": summary(heads),
        "acts": facets(request, "act", [(act.value, act.value.capitalize()) for act in Act], heads),
        "kinds": facets(request, "kind", kinds_of(heads), heads),
        "only": only,
        "may_restore": new.is_draft and Permission.EDIT in subject.may,
    }


def part_of(found: Sequence[NodeChange], places: Iterable[int]) -> list[tuple[int, NodeChange]]:
    """Nodes of a difference with their places in it."""
    wanted = list(places)
    nodes = found.at(wanted) if isinstance(found, Kept) else [found[at] for at in wanted]
    return list(zip(wanted, nodes, strict=True))


def kinds_of(nodes: Sequence[NodeChange | Head]) -> list[tuple[str, str]]:
    kinds = dict.fromkeys(kind for kind, _ in counts(nodes))
    return [(kind, "Settings" if kind == NodeKind.PACK else noun(kind, 2).capitalize()) for kind in kinds]


def facets(
    request: HttpRequest, name: str, named: list[tuple[str, str]], nodes: Sequence[NodeChange | Head]
) -> list[Facet]:
    """Links that show only nodes of one kind, or only those to which one thing happened."""
    chosen = request.GET.get(name, "")
    totals = Counter(each for change in nodes for each in ((change.kind,) if name == "kind" else change.acts))
    found = ((value, label, totals[value]) for value, label in named if totals[value] or value == chosen)
    return [Facet(label, toggled(request.GET, name, value), total, chosen == value) for value, label, total in found]


def files_context(request: HttpRequest, files: Iterable[FileDifference]) -> dict[str, Any]:
    """The files that are not the same, each with its first lines, as many as fit; one alone with all of them."""
    only = request.GET.get("files", "")
    found = [each for each in files if not only or each.path == only]
    left = ALL_LINES
    shown: list[dict[str, Any]] = []
    for each in found:
        most = each.size if only else min(FILE_LINES, left)
        left -= min(each.size, most)
        is_whole = most >= each.size and not each.is_cut
        lines = first_lines(each, most)
        shown.append({"file": each, "chip": CHIPS.get(each.act, each.act.value), "lines": lines, "is_whole": is_whole})
    return {"files": shown, "only": only}


def first_lines(each: FileDifference, most: int) -> list[tuple[str, str]]:
    """The first changed lines of a file with their marks (`@` for the head of a hunk), each with its end."""
    found: list[tuple[str, str]] = []
    for hunk in each.hunks:
        if most <= 0:
            break
        found += [("@", f"{hunk.head}\n"), *((line[0], f"{line}\n") for line in hunk.lines[:most])]
        most -= len(hunk.lines)
    return found


def changes_url(pack: Pack, old: str, new: str = DRAFT) -> str:
    """The address of what is different between two states."""
    return f"{reverse('packs:changes', args=[pack.team.slug, pack.slug])}?{urlencode({'from': old, 'to': new})}"
