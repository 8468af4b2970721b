URL = "/packs/default/parcels/edit/history/"


def test_the_history_says_who_changed_what_from_what_to_what(node_page, as_author, author, case):
    node_page(f"cases/{case.pk}").live("/inputs/0/value", **{"t:/inputs/0/value": "New question"})
    entry = as_author.get(URL).context["entries"][0]
    line = entry.lines[0]
    assert entry.author == author.get_username()
    assert (line.pointer, line.before, line.after) == ("/inputs/0/value", "Where is parcel case-0?", "New question")


def test_undone_edits_stay_in_the_history_as_undone(node_page, as_author, case):
    node_page(f"cases/{case.pk}").live("/inputs/0/value", **{"t:/inputs/0/value": "New question"})
    as_author.post("/packs/default/parcels/edit/undo/", {"back": "pack"})
    assert as_author.get(URL).context["entries"][0].undone


def test_long_histories_come_in_pages(node_page, as_author, case, draft):
    for number in range(45):
        draft.refresh_from_db()
        shown = node_page(f"cases/{case.pk}")
        shown.live("/inputs/0/value", seen=draft.revision, **{"t:/inputs/0/value": f"Question {number}"})
    first = as_author.get(URL).context
    second = as_author.get(URL, {"before": first["older"]}).context
    assert len(first["entries"]) + len(second["entries"]) == 45
