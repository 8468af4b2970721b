"""Acts on lists of curation, as a browser sends them."""

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.urls import reverse


def act(client, admin, name, *keys, confirmed=True):
    """Choose rows, choose an act, and answer the question that follows; `admin` is e.g. `packs_pack`."""
    data = {"action": name, ACTION_CHECKBOX_NAME: [str(key) for key in keys]}
    if confirmed:
        data["confirmed"] = "yes"
    return client.post(reverse(f"admin:{admin}_changelist"), data)


def ids(page):
    """The keys of the rows on a list's page."""
    return [row.pk for row in page.context["cl"].result_list]
