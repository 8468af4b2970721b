"""Messages to the workers."""

from pathlib import Path

from packs.messages import send_job


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
