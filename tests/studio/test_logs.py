import json
import logging
import logging.config

import pytest

from studio.logs import configuration


@pytest.fixture
def log(capsys):
    """A logger whose lines go through a formatter of ours to a stream that the test reads."""
    formatter = configuration("INFO", as_json=True)["formatters"]["line"]
    factory = formatter["()"]
    handler = logging.StreamHandler()
    handler.setFormatter(factory(**{key: value for key, value in formatter.items() if key != "()"}))
    logger = logging.getLogger("packwright.test")
    logger.addHandler(handler)
    logger.propagate = False
    yield logger
    logger.removeHandler(handler)


def test_a_line_for_machines_is_one_json_object(log, capsys):
    log.warning("disk of %s is nearly full", "worker-1")
    line = json.loads(capsys.readouterr().err)
    assert (line["event"], line["level"], line["logger"]) == (
        "disk of worker-1 is nearly full",
        "warning",
        "packwright.test",
    )


def test_an_exception_stays_on_its_line(log, capsys):
    try:
        raise ValueError("bad\nnews")
    except ValueError:
        log.exception("failed")
    (line,) = capsys.readouterr().err.splitlines()
    assert "ValueError" in json.loads(line)["exception"]
