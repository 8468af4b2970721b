"""Every address of the site."""

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path

from studio import api, dead_ends, health
from studio.views import reference, reports, sessions

admin.autodiscover()
# What allauth keeps is for its own code: identities are connected on the page of an account.
for model in (EmailAddress, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)
admin.site.index_title = "Overview"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("studio.views.urls")),
    path("packs/", include("packs.urls")),
    path("", include("runs.urls")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("reports/policy/", reports.policy_reports, name="policy-reports"),
    # The admin has a page for signing in of its own; there is one for everything.
    path("curation/login/", sessions.sign_in_for_staff, name="sign-in-for-staff"),
    path("curation/", admin.site.urls),
    path("api/v1/", include("packs.api.urls")),
    path("api/v1/", include("runs.api.urls")),
    path("api/v1/", include("studio.teams.urls")),
    path("api/schema/", reference.Schema.as_view(), name="api-schema"),
    path("api/", reference.reference, name="api-reference"),
    re_path(r"^api/(?P<rest>[\s\S]*)$", api.answer_unknown, name="api-unknown"),
]
handler403 = dead_ends.not_allowed
handler500 = api.answer_mistake
