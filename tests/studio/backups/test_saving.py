"""One state of all rows, while work goes on."""

from threading import Thread

import pytest
from django.db import connection

from packs.models import Team
from studio.backups.saving import one_state


@pytest.mark.django_db(transaction=True)
def test_a_backup_sees_one_state_and_keeps_nobody_from_writing():
    def write():
        Team.objects.create(slug="later", name="Later")
        connection.close()

    with one_state():
        assert Team.objects.count() == 0
        writer = Thread(target=write)
        writer.start()
        writer.join()
        assert Team.objects.count() == 0
    assert Team.objects.count() == 1
