"""How things behind links are answered: they run nothing, load nothing, and no search engine keeps them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from runs.models import SharedPage
from runs.results.sharing import shown_by

POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"


def public_answer(content: str, media: str) -> HttpResponse:
    """An answer for everybody who has a link."""
    answer = HttpResponse(content, content_type=media)
    answer["Content-Security-Policy"] = POLICY
    answer["X-Robots-Tag"] = "noindex, nofollow"
    answer["Referrer-Policy"] = "no-referrer"
    return answer


@require_GET
def shared_page(request: HttpRequest, token: str) -> HttpResponse:
    """A run, a comparison or a replay, for everybody who has the link."""
    link = get_object_or_404(SharedPage.objects.live().select_related("team"), token=token)
    return public_answer(shown_by(link).page(), "text/html; charset=utf-8")
