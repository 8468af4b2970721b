"""What tests of backups do inside a studio of their own; each answers with JSON on standard output."""

import hashlib
import json
import sys

from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from packs import blobs, editing
from packs.access import Role
from packs.exporting import export_draft, export_version, zipped
from packs.formats.archives import write_zip
from packs.formats.document import NodeKind
from packs.models import AuditEvent, Blob, Case, Pack, PackVersion, Team
from packs.models.reindexing import comparisons
from runs.launch.launching import launch
from runs.models import Agent, Connection, Run
from studio.backups.rows import DERIVED
from tests.packs.drafts import draft_of
from tests.people import make_member
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.tallied import check_trial_counts
from tests.runs.working import work_off


def fill():
    """A studio with a draft and its history, a version with a file, a run, people, a key and what keys seal."""
    team, _ = Team.objects.get_or_create(slug="default", defaults={"name": "Default team"})
    user = make_member(team, Role.ADMINISTRATOR)
    draft = draft_of(team, slug="edited")
    last = Case.objects.filter(pack=draft).order_by("-pk").first()
    # The newest id is gone, and must not come again.
    editing.remove_node(draft, NodeKind.CASE, last.pk, user)
    version = publish_text(team, user, pack_text({"default": 3}), files={"notes.txt": "à côté\0".encode()})
    Connection.objects.create(team=team, name="models", base_url="https://models.example.org", sealed_key="sealed")
    agent = Agent.objects.create(team=team, name="one", kind="scripted", config={"default": {"output": "at the hub"}})
    work_off(launch(user, version, [agent]))
    return {"removed": last.pk}


def portrait():
    """What can be told of a studio from outside of its backup: counts, digests of rows and files, exports."""
    told = {}
    for model in sorted(apps.get_models(include_auto_created=True), key=lambda model: model._meta.db_table):
        if model._meta.db_table in DERIVED:
            continue
        names = [f.attname for f in model._meta.local_concrete_fields]
        found = model._base_manager.order_by("pk")
        if model is AuditEvent:
            # Making and restoring a backup are told of by the studio that did it alone.
            found = found.exclude(kind__startswith="backup.")
        rows = [repr(row) for row in found.values_list(*names)]
        told[model._meta.db_table] = [len(rows), hashlib.sha256("\n".join(rows).encode()).hexdigest()]
    for run in Run.objects.all():
        check_trial_counts(run)
        told[f"run {run.pk}"] = [run.counts, run.status]
    told["search"] = all(compared.is_right for compared in comparisons())
    told["exports"] = [blobs.digest_of(zipped(export_draft(pack))) for pack in Pack.objects.order_by("pk")]
    told["exports"] += [blobs.digest_of(zipped(export_version(one))) for one in PackVersion.objects.order_by("pk")]
    told["files"] = sorted(blobs.digest_of(blobs.read(blob)) for blob in Blob.objects.all())
    assert told["files"] == sorted(Blob.objects.values_list("digest", flat=True))
    return told


def go_on():
    """Work on in a restored studio: the id that a new case gets, and the counts of a new run."""
    draft, user = Pack.objects.get(slug="edited"), Team.objects.get(slug="default").memberships.get().user
    known = set(draft.cases.values_list("pk", flat=True))
    editing.duplicate_node(draft, NodeKind.CASE, min(known), user)
    run = launch(user, PackVersion.objects.get(pack__slug="parcels"), list(Agent.objects.all()))
    work_off(run)
    check_trial_counts(run)
    [added] = set(draft.cases.values_list("pk", flat=True)) - known
    return {"added": added, "counts": run.counts}


def begin_old():
    """The tables of the first commit that had migrations, with a few rows in them."""
    executor = MigrationExecutor(connection)
    leaves = [node for node in executor.loader.graph.leaf_nodes() if node[0] not in FIRST]
    first = [(app, name) for app, name in FIRST.items() if name]
    # Of the others, those that already were there then.
    executor.migrate([*first, *(node for node in leaves)])
    old = executor.loader.project_state(first).apps.get_model
    now = timezone.now()
    user = old("auth", "User").objects.create(username="ada", password="!", is_superuser=True, is_staff=True)
    team = old("packs", "Team").objects.create(slug="default", name="Default team")
    old("packs", "Membership").objects.create(team=team, user=user, role="administrator")
    old("packs", "Token").objects.create(user=user, name="pipeline", prefix="pw_1", digest="0" * 64)
    archive = write_zip({"pack.yaml": b"pack: {slug: parcels}"})
    digest = blobs.digest_of(archive)
    blobs.write(blobs.name_of(digest), archive)
    blob = old("packs", "Blob").objects.create(digest=digest, size=len(archive))
    pack = old("packs", "Pack").objects.create(team=team, slug="parcels", format="challenge_pack", title="Parcels")
    chosen = old("packs", "InputSet").objects.create(pack=pack, position=1, key="default", document={"key": "default"})
    for number in range(3):
        more = {"position": number, "key": f"case-{number}", "document": {"case_key": f"case-{number}"}}
        old("packs", "Case").objects.create(pack=pack, input_set=chosen, **more)
    version = old("packs", "PackVersion").objects.create(
        pack=pack, number=1, digest="1" * 64, archive=blob, document={}, revision=1, case_count=1
    )
    frozen = old("packs", "VersionInputSet").objects.create(version=version, position=0, key="default", case_count=1)
    case = old("packs", "VersionCase").objects.create(
        version=version, input_set=frozen, position=0, key="case-0", challenge_key="locate", digest="2" * 64
    )
    agent = old("runs", "Agent").objects.create(team=team, name="one", kind="scripted", config={})
    run = old("runs", "Run").objects.create(
        team=team, version=version, input_set=frozen, name="old", status="completed", trial_count=2, finished_at=now
    )
    entered = old("runs", "RunAgent").objects.create(run=run, agent=agent, position=0, name="one", kind="scripted")
    for number, status in ((1, "passed"), (2, "failed")):
        trial = old("runs", "Trial").objects.create(
            run=run,
            run_agent=entered,
            case=case,
            number=number,
            status=status,
            score=2.0 - number,
            case_key="case-0",
            started_at=now,
            finished_at=now,
        )
        old("runs", "Event").objects.create(trial=trial, sequence=1, event_type="run.completed", occurred_at=now)
    return {}


def schema():
    """Every table with the facts of its columns, and what each of its indices and constraints says."""
    told, see = {}, connection.introspection
    with connection.cursor() as cursor:
        for table in see.table_names(cursor):
            columns = {column.name: repr(column[1:]) for column in see.get_table_description(cursor, table)}
            rules = see.get_constraints(cursor, table).items()
            told[table] = [columns, sorted(repr((name_of(rule, what), what)) for rule, what in rules)]
    return told


def name_of(rule, what):
    """The name of an index or constraint, where Django looks for it by that.

    Keys of a table that was renamed keep their names, and SQLite numbers conditions by the order of columns.
    """
    return "" if what["primary_key"] or what["foreign_key"] or rule.startswith("__") else rule


FIRST = {"packs": "0001_initial", "runs": "0001_initial", "studio": None}
ACTS = {"fill": fill, "portrait": portrait, "go_on": go_on, "begin_old": begin_old, "schema": schema}


def act(name, *arguments):
    sys.stdout.write(json.dumps(ACTS[name](*arguments)))
