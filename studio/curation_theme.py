"""How the administration looks."""

from typing import Any

from django.templatetags.static import static

# The theme of curation: the studio's name and its colours, as `static/src/css/tokens.css` has them.
UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Packwright curation",
    "SITE_HEADER": "Packwright",
    "SITE_SUBHEADER": "Curation",
    "SITE_URL": "/",
    "SITE_SYMBOL": "verified_user",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("dist/favicon.svg")}],
    "BORDER_RADIUS": "6px",
    "COLORS": {
        "base": {
            "50": "#f7f7f5",
            "100": "#f0f0ed",
            "200": "#e1e0db",
            "300": "#cfcdc7",
            "400": "#a9aeb5",
            "500": "#5a5b60",
            "600": "#4a4b50",
            "700": "#3a3d42",
            "800": "#2c2f34",
            "900": "#191b1e",
            "950": "#121315",
        },
        "primary": {
            "50": "#f0f8f9",
            "100": "#e0f0f2",
            "200": "#b9dee3",
            "300": "#82d6e1",
            "400": "#58c3d1",
            "500": "#39a9b9",
            "600": "#0a6777",
            "700": "#084f5b",
            "800": "#0b424c",
            "900": "#123238",
            "950": "#06252a",
        },
    },
    "SIDEBAR": {"show_search": True, "show_all_applications": False, "navigation": "studio.curation.navigation"},
    "DASHBOARD_CALLBACK": "studio.curation.front_page",
}
