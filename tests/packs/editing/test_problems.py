from packs import editing
from packs.editing import Change, problems
from packs.formats.document import NodeKind
from tests.packs.drafts import draft_of


def test_problems_come_in_the_order_of_the_tree_with_both_their_paths(team, author):
    draft = draft_of(team)
    case = draft.cases.order_by("position").last()
    challenge = draft.challenges.get()
    changes = [
        Change(NodeKind.CASE, case.pk, "/inputs/0/key", ""),
        Change(NodeKind.CHALLENGE, challenge.pk, "/title", ""),
        Change(NodeKind.PACK, draft.pk, "/pack/name", ""),
    ]
    editing.apply(draft, changes, author)
    errors = [problem for problem in problems(draft) if problem.finding.is_error]
    assert [(problem.kind, problem.node) for problem in errors] == [
        (NodeKind.PACK, draft.pk),
        (NodeKind.CHALLENGE, challenge.pk),
        (NodeKind.CASE, case.pk),
    ]
    assert errors[-1].pointer_path == ("inputs", 0, "key")
    assert errors[-1].finding.field_path == "input_sets[0].cases[2].inputs[0].key"


def test_the_field_is_spelled_as_the_format_spells_it_wherever_it_was_found(team, author):
    draft = draft_of(team)
    sandbox = {"env_vars": {"1BAD": "x"}}
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/version/sandbox", sandbox)], author)
    live = {problem.finding.field_path for problem in problems(draft)}
    editing.recheck(draft)
    assert {problem.finding.field_path for problem in problems(draft)} == live
    assert "version.sandbox.env_vars[1BAD]" in live


def test_a_sound_draft_has_no_errors(team):
    assert not [problem for problem in problems(draft_of(team)) if problem.finding.is_error]
