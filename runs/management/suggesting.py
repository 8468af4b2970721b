"""`manage.py pack suggest`: have a model suggest answers to try on a case, and say what they are."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.core.management import BaseCommand
from django.db import transaction

from packs.editing import EditRefused
from packs.formats.terminal import FINDINGS, FINE, MACHINERY
from packs.management.answers import Misuse, refuse, say, say_json
from packs.management.lookup import find_pack, find_team, find_user
from packs.models import Case
from runs.jobs.suggesting import DECISIONS, Offer, decide, offers_for, suggest_now
from runs.models import Suggestion
from runs.results.spelling import dollars

NOBODY = "Nobody can be asked: no connection of the team lists a model, or errors keep the case from being compiled."
# Refusals that are no fault of the content.
_MACHINERY = frozenset({"not_answered", "bad_reply"})


def suggest(command: BaseCommand, options: Mapping[str, Any]) -> int:
    """Say what asking takes and which suggestions wait; with `ask` ask first, with ids of suggestions settle these.

    The exit code. Raises Misuse.
    """
    case, user = _case(options), find_user(options["user"])
    offers = offers_for(case)
    spent: dict[str, Any] = {}
    try:
        if any(options[decision] for decision in DECISIONS):
            _settle(case, options, user)
        elif options["ask"]:
            _, usage = suggest_now(case, _chosen(offers, options), user)
            spent = {"tokens": usage.total_tokens, "cost_usd": usage.cost_usd}
    except EditRefused as refused:
        refuse(command, Misuse(refused.message, refused.code), options)
        return MACHINERY if refused.code in _MACHINERY else FINDINGS
    waiting = list(Suggestion.objects.filter(pack=case.pack, node=case.pk))
    if options["json"]:
        shown = [_as_dict(each) for each in waiting]
        say_json(command, {"offers": [offer.as_dict() for offer in offers], "suggestions": shown, "spent": spent})
    else:
        say(command, *_lines(offers, waiting, spent))
    return FINE


def _case(options: Mapping[str, Any]) -> Case:
    pack = find_pack(find_team(options["team"]), options["pack"])
    place = {"pack": pack, "key": options["case"]}
    if options["input_set"]:
        place["input_set__key"] = options["input_set"]
    found = list(Case.objects.filter(**place).select_related("pack__team", "input_set")[:2])
    if not found:
        raise Misuse(f"No input set of {pack.slug!r} has the case {options['case']!r}.")
    if len(found) > 1:
        raise Misuse(f"Several input sets have a case {options['case']!r}. Name one with --set.")
    case: Case = found[0]
    return case


def _chosen(offers: list[Offer], options: Mapping[str, Any]) -> Offer:
    wanted = {"model": options["model"], "name": options["connection"]}
    fitting = [each for each in offers if all(value in (None, each.as_dict()[name]) for name, value in wanted.items())]
    if len(fitting) != 1:
        known = [{"model": each.model, "connection": each.connection.name} for each in fitting or offers]
        trouble = "Name one with --model, and --connection where several have it." if fitting else "No such model."
        raise Misuse(trouble if offers else NOBODY, "unknown_model", known)
    return fitting[0]


def _settle(case: Case, options: Mapping[str, Any], user: User | None) -> None:
    """Settle all of the suggestions that are named, or none. Raises Misuse, EditRefused."""
    rows = Suggestion.objects.filter(pack=case.pack, node=case.pk).in_bulk()
    with transaction.atomic():
        for decision in DECISIONS:
            for pk in options[decision]:
                suggestion = rows.pop(pk, None)
                if suggestion is None:
                    raise Misuse(f"No suggestion {pk} waits at this case, or it was named twice.")
                decide(suggestion, case, decision, user)


def _as_dict(suggestion: Suggestion) -> dict[str, Any]:
    names = ("id", "kind", "text", "why", "known", "verdict", "reason", "model")
    return {name: getattr(suggestion, name) for name in names}


def _lines(offers: list[Offer], waiting: list[Suggestion], spent: Mapping[str, Any]) -> list[str]:
    lines = [] if spent else [_offered(offer) for offer in offers] or [NOBODY]
    for each in waiting:
        doubt = "  graders and model part" if each.is_doubtful else ""
        lines += [f"{each.pk}  {each.kind}  {each.verdict}{doubt}", *(f"    {line}" for line in each.text.splitlines())]
        lines += [f"    Why: {each.why}"] if each.why else []
        lines += [f"    The graders: {each.reason}"] if each.reason else []
    if waiting:
        lines.append("None is in proof.yaml yet. Say --right ID, --wrong ID or --dismiss ID.")
    return lines


def _offered(offer: Offer) -> str:
    taken = offer.estimate
    price = "price unknown" if taken.cost_usd is None else f"about {dollars(taken.cost_usd)}"
    calls = f"{taken.calls} call{'' if taken.calls == 1 else 's'}"
    name = f"{offer.model} of {offer.connection.name}"
    return f"Asking {name} takes {calls} and about {taken.tokens:,} tokens, {price}. --ask asks."
