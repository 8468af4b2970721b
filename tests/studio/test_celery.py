"""What a worker finds when it starts, and the timetable in the administration."""

import subprocess
import sys

import pytest

# Messages that wait in a queue and schedules of Celery beat hold these names: renaming one loses them.
NAMES = [
    "packs.jobs.execute_job",
    "packs.jobs.sweep_bytes",
    "runs.bin.finish_purges",
    "runs.bin.index_trials",
    "runs.bin.purge_old",
    "runs.gating.start_scheduled",
    "runs.jobs.deliver",
    "runs.jobs.execute_gate",
    "runs.jobs.execute_rankings",
    "runs.jobs.execute_rescore",
    "runs.jobs.execute_trials",
    "runs.jobs.execute_tryout",
    "runs.jobs.send_mail",
    "runs.jobs.sweep",
    "runs.jobs.watch_quotas",
    "runs.retention.remove_old",
    "studio.backups.make_backup",
]
WORKER = """
from studio.celery import app
app.loader.import_default_modules()
print(*sorted(name for name in app.tasks if not name.startswith("celery.")), sep="\\n")
"""
# Nothing was sent here yet, as in a web process that has just started.
TIMETABLE = """
import django
django.setup()
from runs.admin.timetable import PeriodicTaskAdmin, TaskSelect
from packs.celery import app
assert PeriodicTaskAdmin.celery_app is TaskSelect.celery_app is app
print(*(name for name, _ in TaskSelect().choices if name), sep="\\n")
"""


@pytest.mark.parametrize("program", [WORKER, TIMETABLE])
def test_workers_and_the_timetable_know_every_job_by_the_name_that_messages_and_schedules_hold(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == NAMES
