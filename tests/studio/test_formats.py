from datetime import UTC, datetime

from django.template import Context, Template


def test_dates_read_alike_on_pages_that_say_nothing_of_their_shape():
    moment = datetime(2026, 11, 21, 15, 5, 9, tzinfo=UTC)
    assert Template("{{ moment }}").render(Context({"moment": moment})) == "21 Nov 2026, 15:05"
    assert Template("{{ moment.date }} {{ moment.time }}").render(Context({"moment": moment})) == "21 Nov 2026 15:05"
