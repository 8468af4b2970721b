"""All settings, read from the environment; every one is in docs/settings.md.

Without any variable the studio runs on embedded parts: SQLite, a broker in the file system, files on disk.
"""

import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ

from studio import logs
from studio.curation_theme import UNFOLD as UNFOLD
from studio.tags import TAGS

# Every process of the studio reads its settings first: what it makes is for its own user alone (`studio.rights`).
os.umask(0o077)

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")

# Where the embedded parts keep their files.
VAR_DIR = Path(env.str("PACKWRIGHT_VAR", str(BASE_DIR / "var")))
DEBUG = env.bool("PACKWRIGHT_DEBUG", False)
ALLOWED_HOSTS = env.list("PACKWRIGHT_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("PACKWRIGHT_ORIGINS", default=[])


def secret_key() -> str:
    """The signing key: given by the environment, else made once and kept beside the embedded database."""
    given: str = env.str("PACKWRIGHT_SECRET_KEY", "")
    if given:
        return given
    path = VAR_DIR / "secret_key"
    if not path.exists():
        VAR_DIR.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text()


SECRET_KEY = secret_key()

# What pages, the API and the timetable need, and commands of packs and runs do not (`manage.py`).
APPS_OF_PAGES = [
    "unfold",
    "unfold.contrib.filters",
    # The addresses load the pages of the administration.
    "django.contrib.admin.apps.SimpleAdminConfig",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "django_celery_beat",
    "studio.oidc.apps.Accounts",
    "studio.oidc.apps.Identities",
]
INSTALLED_APPS = [
    *APPS_OF_PAGES,
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "studio",
    "packs",
    "runs",
]

MIDDLEWARE = [
    "studio.proxies.ClientAddress",
    "studio.logs.requests.NamedRequests",
    "studio.metrics.requests.Measured",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "studio.security.PrivateAnswers",
    "studio.presence.QuietPolls",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "studio.audit.requests.Recorded",
    "studio.sessions.SeenSessions",
    "studio.second_factor.gate.FactorGate",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "studio.security.ContentSecurityPolicy",
    "studio.dead_ends.SignedOut",
    "studio.dead_ends.DeadEnds",
    "studio.dead_ends.HostileQueries",
    "studio.dead_ends.NoRoom",
]

# Where the admin lives; a path with slashes at both ends.
ADMIN_PATH = "/curation/"
ROOT_URLCONF = "studio.urls"
WSGI_APPLICATION = "studio.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            # Every page is made of these, so that no template loads them.
            "builtins": [
                "django.contrib.humanize.templatetags.humanize",
                "django.templatetags.static",
                "django.templatetags.tz",
                "studio.templatetags.confinement",
                "studio.templatetags.controls",
                "studio.templatetags.parts",
                "studio.templatetags.prose",
                "studio.templatetags.ui",
            ],
        },
    }
]

SQLITE_OPTIONS: dict[str, Any] = {
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA busy_timeout=60000;",
    "transaction_mode": "IMMEDIATE",
    "timeout": 60,
}
DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'packwright.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = ["studio.guessing.LimitedBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
# The administrator's, when a fresh studio is prepared; without it a new one is handed over (`studio.first_password`).
ADMIN_PASSWORD = env.str("PACKWRIGHT_ADMIN_PASSWORD", "")
LOGIN_URL = "studio:sign-in"
LOGIN_REDIRECT_URL = "studio:home"

# The directory in which people sign in by OpenID Connect (`studio.oidc`); without an issuer there is none.
OIDC_ISSUER = env.str("PACKWRIGHT_OIDC_ISSUER", "").rstrip("/")
OIDC_CLIENT_ID = env.str("PACKWRIGHT_OIDC_CLIENT_ID", "")
OIDC_CLIENT_SECRET = env.str("PACKWRIGHT_OIDC_CLIENT_SECRET", "")
OIDC_NAME = env.str("PACKWRIGHT_OIDC_NAME", "") or "your organisation"
OIDC_SCOPES = env.str("PACKWRIGHT_OIDC_SCOPES", "") or "openid profile email"
# Where it says in which groups somebody is, and what these grant (`studio.oidc.groups`).
OIDC_GROUPS_CLAIM = env.str("PACKWRIGHT_OIDC_GROUPS_CLAIM", "") or "groups"
OIDC_GROUPS = env.str("PACKWRIGHT_OIDC_GROUPS", "")
# Whether it makes accounts, and whether it alone lets people in, without passwords.
OIDC_ACCOUNTS = env.bool("PACKWRIGHT_OIDC_ACCOUNTS", True)
OIDC_ONLY = env.bool("PACKWRIGHT_OIDC_ONLY", False)

# Whether people who have no account can make one with an invitation to a team.
INVITED_ACCOUNTS = env.bool("PACKWRIGHT_INVITED_ACCOUNTS", True)
# The server that takes mail, such as smtp+tls://user:password@host:587; without one nothing is mailed.
SMTP = env.str("PACKWRIGHT_SMTP", "")
if SMTP:
    globals().update(env.email_url_config(SMTP))
DEFAULT_FROM_EMAIL = env.str("PACKWRIGHT_MAIL_FROM", "packwright@localhost")
EMAIL_TIMEOUT = 10

LOGGING = logs.configuration(env.str("PACKWRIGHT_LOG_LEVEL", "WARNING"), env.bool("PACKWRIGHT_LOG_JSON", False))

LANGUAGE_CODE = "en-gb"
FORMAT_MODULE_PATH = "studio.formats"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
# Only what the build made is served; its sources import packages that a browser cannot load.
STATICFILES_DIRS = [("dist", BASE_DIR / "static" / "dist")]
STATIC_ROOT = Path(env.str("PACKWRIGHT_STATIC", str(VAR_DIR / "static")))
# Pages ask for files by the names with hashes; compressing them under both names takes twice as long.
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
# A form has a control for every value of a document, and a pack may be sent as one text.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
DATA_UPLOAD_MAX_MEMORY_SIZE = 20_000_000
MEDIA_ROOT = VAR_DIR / "files"
# Django would give each file wider rights than the mask does.
FILE_UPLOAD_PERMISSIONS = 0o600
# Files: on local disk, or in an S3-compatible store that all hosts share (needs the extra `s3`). boto3 reads its keys
# where it always does: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or the machine's role.
S3_BUCKET = env.str("PACKWRIGHT_S3_BUCKET", "")
S3_OPTIONS: dict[str, Any] = {
    "bucket_name": S3_BUCKET,
    "endpoint_url": env.str("PACKWRIGHT_S3_ENDPOINT", "") or None,
    "region_name": env.str("PACKWRIGHT_S3_REGION", "") or None,
    # Names are hashes of the content: what is there already is the same.
    "file_overwrite": True,
    "default_acl": None,
}
STORAGES = {
    "default": {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": S3_OPTIONS}
    if S3_BUCKET
    else {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# Values are kept in each process alone, never in Redis: reading them from there would run what others wrote.
# The broker: Redis where one is given, else messages as files. The database is the truth either way.
REDIS_URL = env.str("REDIS_URL", "")
CELERY_BROKER_URL = REDIS_URL or "filesystem://localhost/"
CELERY_BROKER_TRANSPORT = None if REDIS_URL else "studio.broker:Transport"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {"visibility_timeout": 900, "unacked_restore_interval": 5, "unacked_restore_throttle": 1}
    if REDIS_URL
    else {
        "data_folder_in": str(VAR_DIR / "queue"),
        "data_folder_out": str(VAR_DIR / "queue"),
        "control_folder": str(VAR_DIR / "control"),
        "store_processed": False,
        "polling_interval": 0.05,
    }
)
# Where jobs are defined.
CELERY_IMPORTS = [
    "packs.jobs",
    "packs.jobs.sweeping",
    "runs.jobs.tasks",
    "runs.launch.gating",
    "runs.bin",
    "runs.retention",
    "runs.jobs.notices.quotas",
    "studio.backups.jobs",
]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Beat notes at once what it has sent, so that nothing is sent again when it is started anew.
CELERY_BEAT_SYNC_EVERY = 1

# Seconds that a run or a job may wait before `/readyz` says so with 503; 0 for any.
READY_QUEUE_SECONDS = env.float("PACKWRIGHT_READY_QUEUE_SECONDS", 0.0)

# Backups by the timetable (`studio.backups.jobs`): how many hours apart (0 for none), in which folder, how many stay.
BACKUP_HOURS = env.float("PACKWRIGHT_BACKUP_HOURS", 0.0)
BACKUP_FOLDER = Path(env.str("PACKWRIGHT_BACKUP_FOLDER", "") or VAR_DIR / "backups")
BACKUP_KEEP = max(1, env.int("PACKWRIGHT_BACKUP_KEEP", 7))
# What beat sends beside the rows of its timetable.
CELERY_BEAT_SCHEDULE: dict[str, Any] = {
    "packwright: bytes": {"task": "packs.jobs.sweep_bytes", "schedule": timedelta(hours=6)},
    "packwright: bin": {"task": "runs.bin.purge_old", "schedule": timedelta(days=1)},
    "packwright: recordings": {"task": "runs.retention.remove_old", "schedule": timedelta(days=1)},
    "packwright: quotas": {"task": "runs.jobs.watch_quotas", "schedule": timedelta(minutes=15)},
}
if BACKUP_HOURS:
    every = timedelta(hours=BACKUP_HOURS)
    CELERY_BEAT_SCHEDULE["packwright: backup"] = {"task": "studio.backups.make_backup", "schedule": every}

# Requests with a body that one web process has at work at once, and as many without.
WEB_THREADS = env.int("PACKWRIGHT_WEB_THREADS", 4)
# Trials that one worker process has at work at once at most, how many of them may do more than wait for their agents,
# and those of one run unless its launch says otherwise.
TRIAL_THREADS = env.int("PACKWRIGHT_TRIAL_THREADS", 500)
BUSY_THREADS = env.int("PACKWRIGHT_BUSY_THREADS", 16)
RUN_CONCURRENCY = env.int("PACKWRIGHT_RUN_CONCURRENCY", 8)

# How many days replies of models are kept for runs that use the response cache.
RESPONSE_CACHE_DAYS = env.int("PACKWRIGHT_RESPONSE_CACHE_DAYS", 30)

# How many days packs and runs stay in the bin.
BIN_DAYS = env.int("PACKWRIGHT_BIN_DAYS", 30)
# How many days the audit log is kept.
AUDIT_DAYS = env.int("PACKWRIGHT_AUDIT_DAYS", 365)
# How many seconds after each failed try a webhook or a mail is tried again; after the last it is given up.
WEBHOOK_PAUSES = env.list("PACKWRIGHT_WEBHOOK_PAUSES", cast=int, default=[5, 30, 300, 3600, 21600])

# What one job on a pack may use (`packs.jobs.budget`): seconds of processor time, and MiB beside what its worker has.
JOB_SECONDS = env.float("PACKWRIGHT_JOB_SECONDS", 300.0)
JOB_MEMORY = env.int("PACKWRIGHT_JOB_MEMORY", 2048)

# Hosts that agents, judges and tools may call (see `runs.agents.endpoints.addresses`): `public`, names, blocks.
ENDPOINT_HOSTS = env.list("PACKWRIGHT_ENDPOINT_HOSTS", default=["public"])
# What seals stored keys and secrets; the first entry seals, all of them open. Without one it is the signing key.
ENCRYPTION_KEYS = env.list("PACKWRIGHT_ENCRYPTION_KEY", default=[])

# Where untrusted programs run (`runs.sandbox.choice`): a kind of sandbox; empty for the best that the machine has.
SANDBOX = env.str("PACKWRIGHT_SANDBOX", "")
# Confined programs may read these folders beside the system's, and reach the network where a task asks for it.
SANDBOX_READ_ONLY_PATHS = [path for path in env.str("PACKWRIGHT_SANDBOX_READ_ONLY_PATHS", "").split(":") if path]
SANDBOX_NETWORK = env.bool("PACKWRIGHT_SANDBOX_NETWORK", False)
# The MiB of memory that a task may ask for.
SANDBOX_MEMORY = env.int("PACKWRIGHT_SANDBOX_MEMORY", 2048)
# Where the repositories of workspaces may come from, beside the pack: folders of the machine, beginnings of URLs.
WORKSPACE_SOURCES = env.list("PACKWRIGHT_WORKSPACE_SOURCES", default=[])
# Without isolation a program can do what the worker can, so that is off unless switched on.
ALLOW_LOCAL_COMMANDS = env.bool("PACKWRIGHT_ALLOW_LOCAL_COMMANDS", False)

# Requests that a user, or a key, may make of the API in a minute; 0 sets no limit.
API_PER_MINUTE = env.int("PACKWRIGHT_API_PER_MINUTE", 3000)
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "studio.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["studio.throttling.PerMinute"],
    "DEFAULT_PAGINATION_CLASS": "studio.pagination.CursorPages",
    "DEFAULT_PARSER_CLASSES": ["packs.api.shared.uploads.DocumentParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "studio.negotiation.OneRenderer",
    "DEFAULT_SCHEMA_CLASS": "studio.openapi.Described",
    "EXCEPTION_HANDLER": "studio.api.answer_exception",
    # `?format=` is the format of a pack; answers are JSON.
    "URL_FORMAT_OVERRIDE": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Packwright",
    "DESCRIPTION": "Write, check, run and review evaluation packs.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "TAGS": [{"name": name, "description": text} for name, text in TAGS.items()],
    "PREPROCESSING_HOOKS": ["studio.openapi.one_path_for_each_act"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "studio.openapi.as_openapi_3_1",
        "studio.openapi.with_refusals",
    ],
    # Names for choices whose fields share a name with others.
    "ENUM_NAME_OVERRIDES": {
        "NodeKindEnum": "packs.api.shared.shapes.KINDS",
        "WorthEnum": "runs.proof.probes.WORTHS",
        "CaseActEnum": "packs.api.jobs.ACTS",
        "WishActEnum": "packs.grid.changing.Act",
        "JobStatusEnum": "packs.models.JobStatus",
        "JobKindEnum": "packs.jobs.ACTS",
        "PackStatusEnum": "packs.models.PackStatus",
        "VersionStatusEnum": "packs.models.VersionStatus",
        "ProposalStatusEnum": "packs.models.Proposal.Status",
        "GradeStateEnum": "runs.grading.graders.contract.State",
        "GradeVerdictEnum": "runs.grading.graders.contract.Verdict",
        "GradeOutcomeEnum": "runs.grading.graders.contract.Outcome",
        "VerdictEnum": "runs.api.results.shapes.VERDICTS",
        "ChangeEnum": "runs.api.results.comparison.CHANGES",
        "PackChangeEnum": "packs.api.differences.ACTS",
        "TurnStateEnum": "runs.api.reviews.turns.STATES",
        "ReviewStateEnum": "runs.api.reviews.reviews.STATES",
        "AspectKindEnum": "runs.api.reviews.reviews.KINDS",
        "CaseStateEnum": "runs.api.packs.proofs.STATES",
        "AgentKindEnum": "runs.api.agents.agents.KINDS",
        "RunStatusEnum": "runs.models.RunStatus",
        "TrialStatusEnum": "runs.models.TrialStatus",
    },
}

# Addresses of proxies before the studio, whose word is believed for where a request comes from.
PROXIES = env.list("PACKWRIGHT_PROXIES", default=[])
# Behind a proxy that ends TLS: send cookies over HTTPS only and believe the proxy's word for the scheme.
if env.bool("PACKWRIGHT_HTTPS", False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 31_536_000
    # Health checks come from this machine, without TLS.
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]
    # Other names below the domain, and lists in browsers, are for its owner to decide.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_ENGINE = "studio.sessions"
SESSION_COOKIE_HTTPONLY = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
