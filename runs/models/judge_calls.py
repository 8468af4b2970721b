"""How many replies of judges were ever recorded: a number that never falls, since Prometheus counts with it.

Those that are there are counted by an index of their own. A trigger notes those that go, whatever removes them:
retention, the bin, another try of a trial.
"""

from django.db import connection, models, transaction

from runs.models.trials import REPLY, Event

EVENTS, GONE = "runs_event", "runs_gonejudgecalls"
TRIGGER = f"{GONE}_noted"
UP = f"UPDATE SET calls = {GONE}.calls + excluded.calls"
ADD = f"INSERT INTO {GONE} (id, calls) VALUES (1, 1) ON CONFLICT (id) DO {UP};"
WHEN = f"AFTER DELETE ON {EVENTS} FOR EACH ROW WHEN (OLD.event_type = '{REPLY}')"
# One statement sees an event as recorded or as gone, never as both. What is sought stands in it: the index is partial.
COUNT = (
    f"SELECT (SELECT COUNT(*) FROM {EVENTS} WHERE event_type = '{REPLY}') "
    f"+ COALESCE((SELECT SUM(calls) FROM {GONE}), 0)"
)


class GoneJudgeCalls(models.Model):
    """How many recorded replies of judges were removed: one row, which the trigger makes and counts up."""

    calls = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.calls} calls"


def judge_calls() -> int:
    """Calls of judges whose replies were recorded, those of what was removed since included."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT)
        return int(cursor.fetchone()[0])


def prepare() -> None:
    """After migrations: have the database note what goes, unless these stopped before its table. SQLite loses triggers
    when a migration makes a table anew; one that is there is left alone."""
    if {EVENTS, GONE} <= set(connection.introspection.table_names()):
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {TRIGGER} {WHEN} BEGIN {ADD} END")
                return
            cursor.execute("SELECT 1 FROM pg_trigger WHERE tgname = %s", [TRIGGER])
            if cursor.fetchone() is None:
                cursor.execute(
                    f"CREATE OR REPLACE FUNCTION {TRIGGER}() RETURNS trigger LANGUAGE plpgsql "
                    f"AS $$ BEGIN {ADD} RETURN NULL; END $$"
                )
                cursor.execute(f"CREATE TRIGGER {TRIGGER} {WHEN} EXECUTE FUNCTION {TRIGGER}()")


# The names above are those that the models have.
assert (Event._meta.db_table, GoneJudgeCalls._meta.db_table) == (EVENTS, GONE)
