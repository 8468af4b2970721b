"""Addresses of the API of members and invitations, below `/api/v1/`."""

from django.urls import URLPattern
from django.urls import path as at

from studio.teams import api

app_name = "teams-api"
urlpatterns: list[URLPattern] = [
    at("teams/<slug:team>/members/", api.Members.as_view(), name="members"),
    at("teams/<slug:team>/members/<int:pk>/", api.MemberDetail.as_view(), name="member"),
    at("teams/<slug:team>/leave/", api.Leaving.as_view(), name="leave"),
    at("teams/<slug:team>/invitations/", api.Invitations.as_view(), name="invitations"),
    at("teams/<slug:team>/invitations/<int:pk>/", api.InvitationDetail.as_view(), name="invitation"),
]
