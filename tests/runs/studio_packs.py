"""Published versions for tests of running, made from a few lines."""

from packs.formats import adapter_of
from packs.formats.findings import has_errors
from packs.mirror import write_tree
from packs.models import Pack
from packs.publish import publish

HEAD = """\
pack: {{slug: {slug}, name: Parcels, family: support}}
version:
  number: 1
  execution_mode: {mode}
{version}  evaluation_spec:
    name: parcels
    version_number: 1
    judge_mode: deterministic
    validators:
      - {{key: answer, type: {kind}, target: final_output, expected_from: case.expectations.answer}}
    scorecard:
      dimensions: [correctness]
      pass_threshold: 0.5
challenges:
  - {{key: locate, title: Locate, category: support, difficulty: easy, instructions: "Where is {{{{parcel}}}}?"}}
"""
CASE = """\
      - challenge_key: locate
        case_key: {key}
        inputs: [{{key: parcel, kind: text, value: {parcel}}}]
        expectations: [{{key: answer, kind: text, value: {answer}}}]
"""


def pack_text(sets, *, slug="parcels", mode="prompt_eval", version="", kind="contains", answer="hub", names=None):
    """A challenge pack: `sets` maps keys of input sets to their number of cases, or to lines of YAML cases."""
    text = HEAD.format(slug=slug, mode=mode, version=version, kind=kind)
    if not sets:
        return text
    text += "input_sets:\n"
    for key, cases in sets.items():
        text += f"  - key: {key}\n    name: {(names or {}).get(key, f'The {key} set')}\n    cases:\n"
        if isinstance(cases, int):
            cases = "".join(
                CASE.format(key=f"case-{number:04d}", parcel=f"hub{number}", answer=answer) for number in range(cases)
            )
        text += cases
    return text


def publish_text(team, user, text, slug="parcels", files=None):
    """The version that a challenge pack in YAML, with the files beside it, becomes."""
    tree, findings = adapter_of("challenge_pack").load({"pack.yaml": text.encode(), **(files or {})})
    assert tree is not None, findings
    assert not has_errors(findings), findings
    row = Pack.objects.create(team=team, slug=slug, format="challenge_pack", created_by=user)
    write_tree(row, tree)
    return publish(row, user)
