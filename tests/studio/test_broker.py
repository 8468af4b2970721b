"""Messages in files, for a studio without Redis."""

from queue import Empty

import pytest

from studio.celery import app


@pytest.fixture
def channel(tmp_path):
    # None of the folders is there yet: a command may be what first sends something on this data.
    queue, control = tmp_path / "var" / "queue", tmp_path / "var" / "control"
    folders = {"data_folder_in": queue, "data_folder_out": queue, "control_folder": control}
    options = {name: str(path) for name, path in folders.items()}
    with app.connection("filesystem://", transport_options=options) as opened:
        yield opened.default_channel


class Looking:
    """A part of a message that somebody looks for while it is being written."""

    def __init__(self, channel):
        self.channel, self.found = channel, []

    def __json__(self):
        try:
            self.found.append(self.channel._get("celery"))
        except Empty:
            self.found.append(None)
        return "looked"


def test_nobody_reads_a_message_before_it_is_written(channel):
    looking = Looking(channel)
    channel._put("celery", {"body": looking})
    assert looking.found == [None]
    assert channel._size("celery") == 1
    assert channel._get("celery") == {"body": "looked"}


def test_each_message_is_taken_once_and_from_its_own_queue(channel):
    for number in range(3):
        channel._put("celery", {"number": number})
    channel._put("other", {"number": 9})
    assert {channel._get("celery")["number"] for _ in range(3)} == {0, 1, 2}
    assert channel._get("other") == {"number": 9}
    with pytest.raises(Empty):
        channel._get("celery")


def test_the_studio_s_own_broker_is_this_one():
    assert type(app.connection("filesystem://").transport).__module__ == "studio.broker"
