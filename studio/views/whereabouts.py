"""What somebody looks at who opens the palette: its acts are about that first."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The pack and the run of the page; empty and None on other pages."""

    team: str = ""
    pack: str = ""
    run: int | None = None


def whereabouts(request: HttpRequest) -> Whereabouts:
    """What the page is about from which a part was asked for; it stands in its address."""
    try:
        found = resolve(urlsplit(request.headers.get("HX-Current-URL", "")).path)
    except (Resolver404, ValueError):
        return Whereabouts()
    if found.namespace == "packs" and "slug" in found.kwargs:
        return Whereabouts(found.kwargs["team"], found.kwargs["slug"])
    if found.view_name in RUN_PAGES:
        return Whereabouts(run=found.kwargs["pk"])
    return Whereabouts()


# The pages of one run.
RUN_PAGES = ("runs:show", "runs:configuration", "runs:metrics", "runs:rescores", "runs:agreement", "runs:run-gates")
