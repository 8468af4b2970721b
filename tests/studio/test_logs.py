import io
import json
import logging

import pytest

from studio.logs import configuration


class Log:
    """A logger that writes through a formatter of ours, and the lines that it wrote."""

    def __init__(self, as_json=True):
        settings = configuration("INFO", as_json=as_json)["formatters"]["line"]
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(settings.pop("()")(**settings))
        self.logger = logging.getLogger("packwright.test")

    @property
    def lines(self):
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]


@pytest.fixture
def log(request):
    log = Log(as_json=getattr(request, "param", True))
    log.logger.addHandler(log.handler)
    yield log
    log.logger.removeHandler(log.handler)


def test_a_line_for_machines_is_one_json_object(log):
    log.logger.warning("disk of %s is nearly full", "worker-1")
    (line,) = log.lines
    assert line["event"] == "disk of worker-1 is nearly full"
    assert (line["level"], line["logger"]) == ("warning", "packwright.test")


@pytest.mark.parametrize("log", [False], indirect=True)
def test_a_name_in_a_line_for_people_can_fake_no_other(log):
    log.logger.warning("%s was imported", "a\x1b[2J\n2026-01-01 [error] b")
    assert "a\\x1b[2J\\n2026-01-01 [error] b was imported" in log.stream.getvalue()
    assert log.stream.getvalue().count("\n") == 1


@pytest.mark.parametrize("log", [True, False], indirect=True)
def test_a_line_says_which_thing_it_is_about(log):
    theirs, ours = "django.request", "packs.jobs"
    for name in (theirs, ours):
        log.handler.handle(logging.makeLogRecord({"name": name, "msg": "job-broke", "job": 4711, "levelname": "ERROR"}))
    about_theirs, about_ours = log.stream.getvalue().splitlines()
    assert "4711" in about_ours
    # Libraries put requests and arguments there.
    assert "4711" not in about_theirs


def test_an_exception_stays_on_its_line(log):
    try:
        raise ValueError("bad\nnews")
    except ValueError:
        log.logger.exception("failed")
    (line,) = log.lines
    assert "ValueError" in line["exception"]


@pytest.mark.parametrize("log", [True, False], indirect=True)
def test_an_exception_does_not_tell_the_values_of_variables(log):
    key = "".join(["planted", "-4711"])
    try:
        raise ValueError(len(key))
    except ValueError:
        log.logger.exception("failed")
    written = log.stream.getvalue()
    assert "ValueError" in written
    assert "planted-4711" not in written
