"""Addresses of the site's own pages."""

from django.urls import path

from studio.views import accounts, home, search, sessions, workers

app_name = "studio"
urlpatterns = [
    path("", home.home, name="home"),
    path("sign-in/", sessions.sign_in, name="sign-in"),
    path("sign-out/", sessions.sign_out, name="sign-out"),
    path("theme/", sessions.theme, name="theme"),
    path("account/", accounts.account, name="account"),
    path("account/password/", accounts.password, name="password"),
    path("account/sessions/end-others/", accounts.sessions_end_others, name="sessions-end-others"),
    path("account/sessions/<int:pk>/end/", accounts.session_end, name="session-end"),
    path("account/tokens/", accounts.token_create, name="token-create"),
    path("account/tokens/<int:pk>/delete/", accounts.token_delete, name="token-delete"),
    path("search/", search.search, name="search"),
    path("workers/", workers.workers, name="workers"),
]
