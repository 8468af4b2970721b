"""What a worker finds when it starts."""

import subprocess
import sys

# Messages that wait in a queue and schedules of Celery beat hold these names: renaming one loses them.
NAMES = [
    "packs.jobs.execute_job",
    "runs.gating.start_scheduled",
    "runs.jobs.execute_gate",
    "runs.jobs.execute_rankings",
    "runs.jobs.execute_rescore",
    "runs.jobs.execute_trials",
    "runs.jobs.execute_tryout",
    "runs.jobs.sweep",
]
PROGRAM = """
from studio.celery import app
app.loader.import_default_modules()
print(*sorted(name for name in app.tasks if not name.startswith("celery.")), sep="\\n")
"""


def test_a_worker_knows_every_job_by_the_name_that_messages_and_schedules_hold():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.split() == NAMES
