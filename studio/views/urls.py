"""Addresses of the site's own pages."""

from django.urls import path

from studio.views import accounts, audit, directory, home, ops, search, second_factor, sessions, workers
from studio.views.teams import invitations, members, pages, service_accounts

app_name = "studio"
urlpatterns = [
    path("", home.home, name="home"),
    path("sign-in/", sessions.sign_in, name="sign-in"),
    path("sign-in/code/", second_factor.sign_in_code, name="sign-in-code"),
    path("sign-in/directory/", directory.leave, name="oidc"),
    path("sign-in/directory/answer/", directory.come_back, name="oidc-answer"),
    path("sign-out/", sessions.sign_out, name="sign-out"),
    path("theme/", sessions.theme, name="theme"),
    path("account/", accounts.account, name="account"),
    path("account/password/", accounts.password, name="password"),
    path("account/address/", accounts.address, name="address"),
    path("account/second-factor/", second_factor.second_factor, name="second-factor"),
    path("account/second-factor/codes/", second_factor.second_factor_codes, name="second-factor-codes"),
    path("account/second-factor/end/", second_factor.second_factor_end, name="second-factor-end"),
    path("account/directory/", directory.connect, name="oidc-connect"),
    path("account/directory/end/", directory.disconnect, name="oidc-disconnect"),
    path("account/sessions/end-others/", accounts.sessions_end_others, name="sessions-end-others"),
    path("account/sessions/<int:pk>/end/", accounts.session_end, name="session-end"),
    path("account/tokens/", accounts.token_create, name="token-create"),
    path("account/tokens/<int:pk>/delete/", accounts.token_delete, name="token-delete"),
    path("teams/", pages.team_list, name="teams"),
    path("teams/new/", pages.new_team, name="team-new"),
    path("team/<slug:team>/", pages.team_page, name="team"),
    path("team/<slug:team>/members/<int:pk>/role/", members.member_role, name="member-role"),
    path("team/<slug:team>/members/<int:pk>/remove/", members.member_remove, name="member-remove"),
    path("team/<slug:team>/members/<int:pk>/second-factor/", members.member_factor_reset, name="member-factor-reset"),
    path("team/<slug:team>/leave/", members.leave, name="team-leave"),
    path("team/<slug:team>/hand-over/", members.team_hand_over, name="team-hand-over"),
    path("team/<slug:team>/invitations/", invitations.invitation_new, name="invitation-new"),
    path("team/<slug:team>/invitations/<int:pk>/end/", invitations.invitation_end, name="invitation-end"),
    path("team/<slug:team>/accounts/", service_accounts.service_account_new, name="service-account-new"),
    path("team/<slug:team>/accounts/<int:pk>/", service_accounts.service_account, name="service-account"),
    path(
        "team/<slug:team>/accounts/<int:pk>/keys/<int:key>/delete/",
        service_accounts.service_key_delete,
        name="service-key-delete",
    ),
    path("join/<str:secret>/", invitations.join_team, name="join"),
    path("audit/", audit.audit_log, name="audit"),
    path("audit/<slug:shape>/", audit.audit_file, name="audit-file"),
    path("search/", search.search, name="search"),
    path("ops/", ops.ops, name="ops"),
    path("workers/", workers.workers, name="workers"),
]
