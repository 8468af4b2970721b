"""What every page of curation needs. A new kind of row gets its line here."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django_celery_beat.models import ClockedSchedule, CrontabSchedule, IntervalSchedule, PeriodicTask, SolarSchedule

from packs.access import Permission
from packs.formats.document import NodeKind
from packs.models import Edit
from runs.models import WorkerBeat
from studio.models import SecondFactor
from studio.second_factor.keeping import has_factor
from tests.access.results import made_share
from tests.access.walk import ALLOWED, CURATION, GONE, Walker, ask
from tests.access.world import World, ask_review
from tests.factors import give_factor
from tests.people import client_of

CURATE, ADMINISTER = Permission.CURATE, Permission.ADMINISTER
SITE = "site"  # rows that belong to no team: superusers only
OWN = "own"  # rows of one user, which superusers see too


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of row: what it takes to see one, to type into one, and which row of the world is asked for.

    `makes` and `removes` say whether superusers may do that here.
    """

    sees: Permission | str
    row: Callable[[World], Any]
    types: Permission | str = ""
    makes: bool = False
    removes: bool = False


def site(row: Callable[[World], Any]) -> Kind:
    return Kind(SITE, row, types=SITE, makes=True, removes=True)


def made_factor(world: World) -> SecondFactor:
    user = world.token.user
    if not has_factor(user):
        give_factor(user)
    return SecondFactor.objects.get(user=user)


KINDS: Mapping[str, Kind] = {
    "packs_pack": Kind(CURATE, lambda world: world.pack),
    "packs_challenge": Kind(CURATE, lambda world: world.node(NodeKind.CHALLENGE)),
    "packs_inputset": Kind(CURATE, lambda world: world.node(NodeKind.INPUT_SET)),
    "packs_case": Kind(CURATE, lambda world: world.node(NodeKind.CASE)),
    "packs_asset": Kind(CURATE, lambda world: world.node(NodeKind.ASSET)),
    "packs_edit": Kind(CURATE, lambda world: Edit.objects.filter(pack=world.pack).first()),
    "packs_team": Kind(ADMINISTER, lambda world: world.team, types=ADMINISTER, makes=True),
    "packs_token": Kind(OWN, lambda world: world.token),
    "packs_packversion": Kind(CURATE, lambda world: world.version),
    "packs_versioncase": Kind(CURATE, lambda world: world.case),
    "auth_user": site(lambda world: world.token.user),
    "studio_secondfactor": Kind(SITE, made_factor, removes=True),
    "runs_agent": Kind(CURATE, lambda world: world.agent),
    "runs_connection": Kind(ADMINISTER, lambda world: world.connection),
    "runs_secret": Kind(ADMINISTER, lambda world: world.kept),
    "runs_run": Kind(CURATE, lambda world: world.run),
    "runs_runagent": Kind(CURATE, lambda world: world.run.agents.get()),
    "runs_trial": Kind(CURATE, lambda world: world.trial),
    "runs_sharedpage": Kind(CURATE, made_share),
    "runs_review": Kind(CURATE, lambda world: ask_review(world).reviews.get()),
    "runs_workerbeat": Kind(SITE, lambda world: WorkerBeat.objects.get()),
    "django_celery_beat_periodictask": site(lambda world: PeriodicTask.objects.first()),
    "django_celery_beat_intervalschedule": site(lambda world: IntervalSchedule.objects.first()),
    "django_celery_beat_crontabschedule": site(lambda world: CrontabSchedule.objects.first()),
    "django_celery_beat_solarschedule": site(lambda world: SolarSchedule.objects.first()),
    "django_celery_beat_clockedschedule": site(lambda world: ClockedSchedule.objects.first()),
}
# What is there beside the rows: the methods, and what is asked for.
LOOKS_UP = {"app_label": "packs", "model_name": "membership", "field_name": "user"}
OTHERS: Mapping[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "index": ("GET", {}, {}),
    "search": ("GET", {}, {"s": "quokka"}),
    "login": ("GET", {}, {}),
    "logout": ("POST", {}, {}),
    "password_change": ("GET", {}, {}),
    "password_change_done": ("GET", {}, {}),
    "autocomplete": ("GET", {}, LOOKS_UP),
    "jsi18n": ("GET", {}, {}),
    "view_on_site": ("GET", {"content_type_id": 1, "object_id": 1}, {}),
    "app_list": ("GET", {"app_label": "packs"}, {}),
}
# Routes of Django without a name: the old address of a row, and whatever else is asked for below curation.
NAMELESS = {"<path:object_id>/", "(?P<url>.*)$"}


def make_timetable() -> None:
    """One of each kind of row that belongs to no team."""
    WorkerBeat.objects.create(name="worker", seen_at=timezone.now(), started_at=timezone.now(), slots=1)
    every = IntervalSchedule.objects.create(every=1, period="minutes")
    PeriodicTask.objects.create(name="sweep", task="runs.jobs.sweep", interval=every)
    CrontabSchedule.objects.create()
    SolarSchedule.objects.create(event="sunrise", latitude=0, longitude=0)
    ClockedSchedule.objects.create(clocked_time=timezone.now())


def route_names() -> set[str]:
    pages = {f"{kind}_{page}" for kind in KINDS for page in ("changelist", "add", "history", "delete", "change")}
    return {*pages, *OTHERS, *NAMELESS, "auth_user_password_change", "packs_packversion_archive"}


@dataclass(frozen=True, slots=True)
class Page:
    """A page about rows of a kind: its address, and what may be answered to whom."""

    method: str
    url: str
    answers: set[int | str]


def has(walker: Walker, need: Permission | str, world: World) -> bool:
    """Whether somebody of staff has what is needed for the rows of the world's team."""
    user = walker.user
    if user is None or user.is_superuser:
        return user is not None and bool(need)
    return user == world.token.user if need == OWN else need in walker.may


def pages(name: str, kind: Kind, walker: Walker, world: World) -> Iterator[Page]:
    """The pages of a kind of row, with the answers for somebody of staff.

    What is out of reach leads back to the index, as Django has it; what nobody of theirs may do is refused.
    """
    row = kind.row(world)
    is_root = bool(walker.user and walker.user.is_superuser)
    refused = {403} if kind.sees == SITE else {GONE}
    sees = {ALLOWED} if has(walker, kind.sees, world) else refused
    address = f"admin:{name}"
    listed = {403} if kind.sees == SITE and not is_root else {ALLOWED}
    yield Page("GET", reverse(f"{address}_changelist"), listed)
    for method in ("GET", "POST"):
        yield Page(method, reverse(f"{address}_add"), {ALLOWED} if is_root and kind.makes else {403})
        removed = {ALLOWED} if is_root and kind.removes else {403}
        yield Page(method, reverse(f"{address}_delete", args=[row.pk]), removed)
    yield Page("GET", reverse(f"{address}_change", args=[row.pk]), sees)
    yield Page("GET", reverse(f"{address}_history", args=[row.pk]), sees)
    typed = {ALLOWED} if has(walker, kind.types, world) else {403, GONE}
    yield Page("POST", reverse(f"{address}_change", args=[row.pk]), typed)
    yield Page("GET", f"{reverse(f'{address}_changelist')}{row.pk}/", {ALLOWED})


def particular_pages(walker: Walker, world: World) -> Iterator[Page]:
    """Pages that only one kind of row has."""
    is_root = bool(walker.user and walker.user.is_superuser)
    for method in ("GET", "POST"):
        url = reverse("admin:auth_user_password_change", args=[world.token.user.pk])
        yield Page(method, url, {ALLOWED} if is_root else {403})
    archive = {ALLOWED} if has(walker, CURATE, world) else {404}
    yield Page("GET", reverse("admin:packs_packversion_archive", args=[world.version.pk]), archive)


def walk_curation(world: World, walker: Walker) -> Iterator[tuple[Page, int | str, str]]:
    """Every page about rows: its promise, the answer, and the text of the answer."""
    client = client_of(walker.user)
    is_staff = bool(walker.user and walker.user.is_staff)
    found = [page for name, kind in KINDS.items() for page in pages(name, kind, walker, world)]
    for page in [*found, *particular_pages(walker, world)]:
        answer, text = ask(client, page.method, page.url)
        yield page if is_staff else Page(page.method, page.url, {CURATION}), answer, text


def make_superuser() -> User:
    return User.objects.create_superuser("root")
