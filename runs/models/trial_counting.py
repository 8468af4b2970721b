"""How the database keeps `TrialCount`: triggers on the table of trials, so that no way of writing a trial goes past it.
They also note in `CaseChange` which counts of cases no longer hold.

SQLite has one writer at a time, which counts in place (slot 0). On PostgreSQL a transaction counts in a slot of its
own, once for each statement: nobody waits for a row that another one counts in.
"""

from typing import Any

from django.db import connection, transaction

from runs.models.case_counts import BLOCK, USED, CaseChange, CaseCount
from runs.models.trial_counts import STATE, SUMS, TrialCount
from runs.models.trials import Trial

TRIALS, TRIAL_COUNTS, AGENTS = "runs_trial", "runs_trialcount", "runs_runagent"
CASE_COUNTS, CASE_CHANGES = "runs_casecount", "runs_casechange"
PLACE = ("run_id", "run_agent_id", *STATE[1:])
KEY = ("run_agent_id", *STATE[1:], "slot")
ADDED = (*SUMS, "changes")
COLUMNS = ", ".join((*PLACE, "slot", *ADDED))
# A trial that differs in none of these counts as it did.
WATCHED = (*PLACE, "case_position", "number", "score", "seconds", *USED, "error", "scorecard")
# From so many rows of a run on they are added up.
MOST_ROWS = 200


def _sums(row: str, sign: str) -> tuple[str, ...]:
    """What one trial adds to each sum, or takes away."""
    pairs = ((f"{row}.{name}") for name in ("score", "cost_usd", "seconds"))
    parts = (
        part
        for value in pairs
        for part in (f"{sign} (CASE WHEN {value} IS NULL THEN 0 ELSE 1 END)", f"{sign} COALESCE({value}, 0)")
    )
    return (f"{sign} 1", *parts)


def _places(row: str) -> str:
    return ", ".join(f"{row}.{name}" for name in PLACE)


ADDING = ", ".join(f"{name} = {TRIAL_COUNTS}.{name} + excluded.{name}" for name in ADDED)
ON_CONFLICT = f"ON CONFLICT ({', '.join(KEY)}) DO UPDATE SET {ADDING}"


CHANGE = f"INSERT INTO {CASE_CHANGES} (run_id, run_agent_id, block, slot) SELECT DISTINCT"
HAS_AGENT = f"EXISTS (SELECT 1 FROM {AGENTS} WHERE id = {{row}}.run_agent_id)"


def _changed_case(row: str) -> str:
    return f"{row}.run_id, {row}.run_agent_id, {row}.case_position / {BLOCK}"


def _sqlite_change(row: str) -> str:
    return f"{CHANGE} {_changed_case(row)}, 0 WHERE {HAS_AGENT.format(row=row)} ON CONFLICT DO NOTHING;"


def _sqlite_count(row: str, sign: str) -> str:
    values = f"{_places(row)}, 0, {', '.join(_sums(row, sign))}, 1"
    return f"INSERT INTO {TRIAL_COUNTS} ({COLUMNS}) VALUES ({values}) {ON_CONFLICT};"


def _sqlite_taken() -> str:
    """Of a trial that is deleted nothing new is written: its agent may be gone already."""
    sums = zip(SUMS, _sums("old", "-"), strict=True)
    changes = ", ".join((*(f"{name} = {name} {value}" for name, value in sums), "changes = changes + 1"))
    place = " AND ".join(f"{name} = old.{name}" for name in KEY[:-1])
    return f"UPDATE {TRIAL_COUNTS} SET {changes} WHERE {place} AND slot = 0;"


# What goes with an agent entered.
DROPPED = [f"DELETE FROM {table} WHERE run_agent_id = " for table in (TRIAL_COUNTS, CASE_COUNTS, CASE_CHANGES)]
SQLITE = {
    f"{TRIAL_COUNTS}_added": f"AFTER INSERT ON {TRIALS} BEGIN {_sqlite_count('new', '+')} {_sqlite_change('new')} END",
    f"{TRIAL_COUNTS}_changed": (
        f"AFTER UPDATE OF {', '.join(WATCHED)} ON {TRIALS} "
        f"WHEN {' OR '.join(f'old.{name} IS NOT new.{name}' for name in WATCHED)} "
        f"BEGIN {_sqlite_count('old', '-')} {_sqlite_count('new', '+')} "
        f"{_sqlite_change('old')} {_sqlite_change('new')} END"
    ),
    f"{TRIAL_COUNTS}_taken": f"AFTER DELETE ON {TRIALS} BEGIN {_sqlite_taken()} {_sqlite_change('old')} END",
    f"{TRIAL_COUNTS}_dropped": (f"AFTER DELETE ON {AGENTS} BEGIN {' '.join(f'{each}old.id;' for each in DROPPED)} END"),
}

_SIGNED = f"INSERT INTO {TRIAL_COUNTS} ({COLUMNS}) SELECT {_places('m')}, txid_current(), "
_SUMMED = ", ".join((*(f"SUM({value})" for value in _sums("m", "m.sign *")), "COUNT(*)"))
_GROUPED = f"GROUP BY {_places('m')} {ON_CONFLICT};"
_ONE = ", ".join((*PLACE, "case_position", "score", "cost_usd", "seconds"))


def _moved(sign: int, table: str) -> str:
    return f"SELECT {sign} AS sign, {_ONE} FROM {table}"


def _changed(sign: int, own: str, other: str) -> str:
    """The rows of one side that differ from the other side."""
    differs = (
        f"({', '.join(f'a.{name}' for name in WATCHED)}) IS DISTINCT FROM ({', '.join(f'b.{n}' for n in WATCHED)})"
    )
    columns = f"a.{_ONE.replace(', ', ', a.')}"
    return f"SELECT {sign} AS sign, {columns} FROM {own} a JOIN {other} b ON a.id = b.id WHERE {differs}"


def _postgresql_count(rows: str, more: str = "") -> str:
    changed = f"{CHANGE} {_changed_case('m')}, txid_current() FROM ({rows}) m {more} ON CONFLICT DO NOTHING;"
    return f"{_SIGNED} {_SUMMED} FROM ({rows}) m {more} {_GROUPED} {changed}"


# By the name of each trigger: its table, when it acts, with names for what was changed, and what it does.
POSTGRESQL = {
    f"{TRIAL_COUNTS}_insert": (
        TRIALS,
        f"INSERT ON {TRIALS} REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT",
        _postgresql_count(_moved(1, "fresh")),
    ),
    f"{TRIAL_COUNTS}_update": (
        TRIALS,
        f"UPDATE ON {TRIALS} REFERENCING OLD TABLE AS gone NEW TABLE AS fresh FOR EACH STATEMENT",
        _postgresql_count(f"{_changed(-1, 'gone', 'fresh')} UNION ALL {_changed(1, 'fresh', 'gone')}"),
    ),
    f"{TRIAL_COUNTS}_delete": (
        TRIALS,
        f"DELETE ON {TRIALS} REFERENCING OLD TABLE AS gone FOR EACH STATEMENT",
        _postgresql_count(_moved(-1, "gone"), f"WHERE {HAS_AGENT.format(row='m')}"),
    ),
    f"{TRIAL_COUNTS}_dropped": (
        AGENTS,
        f"DELETE ON {AGENTS} FOR EACH ROW",
        " ".join(f"{each}OLD.id;" for each in DROPPED),
    ),
}
BODY = " BEGIN {text} RETURN NULL; END "

RECOUNT = (
    f"INSERT INTO {TRIAL_COUNTS} ({COLUMNS}) SELECT {_places('m')}, 0, {{sums}}, COUNT(*) "
    f"FROM {TRIALS} m GROUP BY {_places('m')}"
).format(sums=", ".join(f"SUM({value})" for value in _sums("m", "+")))


def prepare() -> None:
    """After migrations: `install`, unless these stopped before the counts have all their tables."""
    if {TRIAL_COUNTS, CASE_COUNTS, CASE_CHANGES} <= set(connection.introspection.table_names()):
        install()


def install() -> None:
    """Have the database count, and count what is there already; it can be repeated.

    SQLite loses triggers when a migration makes a table anew. What is as it should be is left alone, so that nobody
    waits for it.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        made = _install_sqlite(cursor) if connection.vendor == "sqlite" else _install_postgresql(cursor)
        if made:
            recount()


def _install_sqlite(cursor: Any) -> bool:
    """Whether anything was missing, or something else."""
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    known = dict(cursor.fetchall())
    wanted = {name: f"CREATE TRIGGER {name} {text}" for name, text in SQLITE.items()}
    missing = [name for name, text in wanted.items() if known.get(name) != text]
    for name in missing:
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
        cursor.execute(wanted[name])
    return bool(missing)


def _install_postgresql(cursor: Any) -> bool:
    """The same. A trigger has the name of its function."""
    cursor.execute(
        "SELECT tgname, prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE tgname LIKE %s",
        [f"{TRIAL_COUNTS}%"],
    )
    known = dict(cursor.fetchall())
    missing = {name: parts for name, parts in POSTGRESQL.items() if known.get(name) != BODY.format(text=parts[2])}
    for name, (table, event, text) in missing.items():
        cursor.execute(
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${BODY.format(text=text)}$$"
        )
        cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        cursor.execute(f"CREATE TRIGGER {name} AFTER {event} EXECUTE FUNCTION {name}()")
    return bool(missing)


def recount() -> None:
    """Count all trials anew. Cases are noted as changed: workers count them in the background, some at a time."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in (TRIAL_COUNTS, CASE_COUNTS, CASE_CHANGES):
            cursor.execute(f"DELETE FROM {table}")
        cursor.execute(RECOUNT)
        cursor.execute(f"{CHANGE} {_changed_case('m')}, 0 FROM {TRIALS} m")


SETTLE = (
    f"WITH gone AS (DELETE FROM {TRIAL_COUNTS} WHERE id IN "
    f"(SELECT id FROM {TRIAL_COUNTS} WHERE run_id = %s FOR UPDATE SKIP LOCKED) RETURNING *) "
    f"INSERT INTO {TRIAL_COUNTS} ({COLUMNS}) "
    f"SELECT {', '.join(PLACE)}, txid_current(), {', '.join(f'SUM({name})' for name in ADDED)} "
    f"FROM gone GROUP BY {', '.join(PLACE)}"
)


def settle(run_id: int) -> None:
    """Add up the rows of a run where there are many. Readers meanwhile see the same sums."""
    if connection.vendor == "postgresql" and TrialCount.objects.filter(run=run_id).count() > MOST_ROWS:
        with connection.cursor() as cursor:
            cursor.execute(SETTLE, [run_id])


# The names above are those that the models have.
assert (Trial._meta.db_table, TrialCount._meta.db_table) == (TRIALS, TRIAL_COUNTS)
assert (CaseCount._meta.db_table, CaseChange._meta.db_table) == (CASE_COUNTS, CASE_CHANGES)
