"""Messages to the workers."""

from pathlib import Path

import pytest
from django.db import OperationalError

from packs.messages import reporting_mistakes, send_job


def test_a_broker_that_cannot_be_reached_is_logged_and_raises_nothing(settings, caplog):
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    away = folder.with_name("away")
    folder.mkdir(parents=True, exist_ok=True)
    folder.rename(away)
    folder.touch()
    try:
        assert not send_job("packs.jobs.nothing", 1)
    finally:
        folder.unlink()
        away.rename(folder)
    [said] = [record for record in caplog.records if record.msg == "broker-unreachable"]
    assert (said.job, said.key, said.exc_info, str(folder) in said.error) == ("packs.jobs.nothing", 1, None, True)


def test_a_message_names_its_job_and_what_it_is_about(settings):
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    before = set(folder.glob("*.msg"))
    assert send_job("packs.jobs.nothing", 71)
    [message] = set(folder.glob("*.msg")) - before
    text = message.read_text()
    message.unlink()
    assert '"task": "packs.jobs.nothing"' in text
    assert '"argsrepr": "(71,)"' in text


def test_a_mistake_of_ours_is_logged_and_kept_for_people(caplog):
    kept = []
    with reporting_mistakes("thing-broke", kept.append, thing=7):
        raise ValueError("no such key")
    assert kept == ["Error in the studio: ValueError: no such key"]
    [said] = [record for record in caplog.records if record.msg == "thing-broke"]
    assert said.thing == 7
    assert said.exc_info


def test_a_database_that_is_away_is_no_mistake_of_ours():
    kept = []
    with pytest.raises(OperationalError), reporting_mistakes("thing-broke", kept.append):
        raise OperationalError("away")
    assert not kept
