import json
import subprocess
import sys

from tests.services import ROOT


def test_the_first_visitor_waits_for_no_import_of_pages():
    code = "import json, sys, studio.wsgi; print(json.dumps([*sys.modules]))"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {"packs.views.library.overview", "runs.views.results"} <= {*json.loads(said.stdout)}
