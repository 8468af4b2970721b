from django.db import connection
from django.test.utils import CaptureQueriesContext

from packs.editing.presence import come
from tests.packs.drafts import draft_of
from tests.services import wait_until


def test_a_page_for_which_nothing_is_new_costs_no_query(client, team, settings, tmp_path):
    settings.VAR_DIR, settings.REDIS_URL = tmp_path, ""
    draft = draft_of(team)
    wait_until(lambda: come(draft.pk, "1-aaaaaaaa", {}), "a turn")
    quiet = come(draft.pk, "1-aaaaaaaa", {})
    url = f"/packs/{team.slug}/{draft.slug}/edit/pack/presence/"
    with CaptureQueriesContext(connection) as asked:
        assert client.get(url, {"quiet": quiet}).status_code == 204
    assert len(asked) == 0
    # What is no such promise is for the view to judge, which knows nobody here.
    for other in ("", "forged", f"{quiet}x"):
        assert client.get(url, {"quiet": other}).status_code == 302
