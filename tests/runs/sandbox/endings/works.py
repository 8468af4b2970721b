"""Endings whose work speaks for itself while it is tested."""

from tests.runs.sandbox.endings.tricks import FORGED, GRADED, SAYING, ending, forged, put


@ending
def work_that_ends_the_process():
    put("answer.py", FORGED)


@ending
def work_that_ends_the_process_at_exit():
    put(
        "answer.py",
        f"import atexit\n\ndef answer():\n    return 0\n\n@atexit.register\ndef end():\n    exec({FORGED!r})\n",
    )


@ending
def work_that_leaves_by_an_exception():
    put("answer.py", f"{SAYING}\nraise SystemExit(0)\n")


@ending
def work_that_claims_to_have_been_tested():
    put("answer.py", f"{SAYING}\n\ndef answer():\n    return 0\n")


@ending
def work_that_prints_a_report():
    put("answer.py", 'print(\'<testsuite tests="5" failures="0" errors="0"/>\')\n\ndef answer():\n    return 0\n')


@ending
def work_that_kills_whoever_runs_it():
    put("answer.py", f"import os, signal, sys\n{SAYING}\nsys.stdout.flush()\nos.kill(os.getppid(), signal.SIGKILL)\n")


@ending
def work_that_changes_the_tests():
    lines = [f"import pathlib\n\ndef answer():\n    return 0\n\n{SAYING}\n"]
    lines += [f"pathlib.Path({path!r}).write_text({forged(path)!r})\n" for path in GRADED[1:]]
    put("answer.py", "".join(lines))


@ending
def work_that_closes_the_folder():
    put("answer.py", f"import os\nos.chmod('tests', 0)\nos.chmod('.', 0)\n{FORGED}")


@ending
def work_that_never_ends():
    put("answer.py", f"{SAYING}\nimport time\ntime.sleep(600)\n")


FORKING = """
import os, time
try:
    for _ in range(300):
        if os.fork() == 0:
            time.sleep(1)
            os._exit(0)
except OSError:
    pass
os._exit(0)
"""


@ending
def work_that_forks():
    put("answer.py", SAYING + FORKING)


@ending
def work_that_floods():
    put("answer.py", "for _ in range(1200):\n    print('5 passed ' * 1_200)\n")
