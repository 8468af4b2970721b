from packs.editing import Change, apply, remove_cases, undo
from packs.formats.document import NodeKind

URL = "/packs/default/parcels/edit/history/"


def entries(client, **query):
    """The changes of the newest sitting."""
    (_, sitting) = client.get(URL).context["parts"][0]
    return client.get(URL, {"first": sitting.first, "last": sitting.last} | query).context


def test_the_history_says_who_changed_what_from_what_to_what(node_page, as_author, author, case):
    node_page(f"cases/{case.pk}").live("/inputs/0/value", **{"t:/inputs/0/value": "New question"})
    entry = entries(as_author)["entries"][0]
    line = entry.lines[0]
    assert entry.author == author.get_username()
    assert (line.pointer, line.before, line.after) == ("/inputs/0/value", "Where is parcel case-0?", "New question")
    assert "Changed 1 case" in as_author.get(URL).text


def test_each_change_names_its_node_also_one_that_is_gone(as_author, author, case, draft):
    apply(draft, [Change(NodeKind.CASE, case.pk, "/inputs/0/value", "New question")], author)
    remove_cases(draft, [case.pk], author)
    removed, changed = entries(as_author)["entries"][:2]
    assert removed.lines[0].what == f"Removed case {case.key}"
    assert changed.lines[0].what == "Changed case"
    undo(draft, author)
    assert entries(as_author)["entries"][1].lines[0].what == f"Changed case {case.key}"


def test_undone_edits_stay_in_the_history_as_undone(node_page, as_author, case):
    node_page(f"cases/{case.pk}").live("/inputs/0/value", **{"t:/inputs/0/value": "New question"})
    as_author.post("/packs/default/parcels/edit/undo/", {"back": "pack"})
    assert entries(as_author)["entries"][0].undone
    assert "1 change was undone" in as_author.get(URL).text


def test_long_sittings_come_in_pages(as_author, author, case, draft):
    for number in range(45):
        apply(draft, [Change(NodeKind.CASE, case.pk, "/inputs/0/value", f"Question {number}")], author)
    first = entries(as_author)
    second = entries(as_author, before=first["older"])
    assert len(first["entries"]) + len(second["entries"]) == 45


def test_a_sitting_is_unfolded_in_its_place(node_page, as_author, case):
    node_page(f"cases/{case.pk}").live("/inputs/0/value", **{"t:/inputs/0/value": "New question"})
    part = as_author.get(URL, {"first": 2, "last": 2}, headers={"HX-Request": "true"}).text
    assert "New question" in part
    assert "<html" not in part


def test_a_point_gets_a_name_and_loses_it(as_author, author, draft):
    address = f"{URL}checkpoint/"
    assert "called Before the review" in as_author.post(address, {"name": " Before the review "}, follow=True).text
    point = draft.checkpoints.get()
    assert (point.name, point.author, point.revision) == ("Before the review", author, draft.revision)
    assert "Before the review" in as_author.get("/packs/default/parcels/changes/").text
    as_author.post(address, {"remove": point.pk})
    assert not draft.checkpoints.exists()


def test_a_point_without_a_name_is_refused(as_author, draft):
    for name in ("", "  ", "x" * 121):
        assert "Give the point a name" in as_author.post(f"{URL}checkpoint/", {"name": name}, follow=True).text
    assert not draft.checkpoints.exists()


def test_older_sittings_come_in_pages(as_author, author, draft, administrator):
    case = draft.cases.first()
    for number in range(64):
        change = Change(NodeKind.CASE, case.pk, "/x", number)
        apply(draft, [change], (author, administrator)[number % 2])
    first = as_author.get(URL).context
    second = as_author.get(URL, {"before": first["older"]}).context
    third = as_author.get(URL, {"before": second["older"]}).context
    assert [len(page["parts"]) for page in (first, second, third)] == [30, 30, 4]
    assert third["older"] is None
