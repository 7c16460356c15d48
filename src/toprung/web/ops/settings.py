"""Django's settings, made from the environment; secure unless the board is only on one's own machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.utils.csp import CSP

from toprung.web.core.config import databases
from toprung.web.core.config.environment import Environment
from toprung.web.core.queue_names import LATER, LEASE_SECONDS, URGENT
from toprung.web.ops import logs
from toprung.web.ops.housekeeping.schedule import LONGEST_BACKOFF, SCHEDULES

ENVIRONMENT = Environment.read(os.environ)
WEB = Path(__file__).parents[1]

DEBUG = False
SECRET_KEY = ENVIRONMENT.secret_key
ALLOWED_HOSTS = list(ENVIRONMENT.hosts)
CSRF_TRUSTED_ORIGINS = [ENVIRONMENT.public_url]
ROOT_URLCONF = "toprung.web.ops.urls"
WSGI_APPLICATION = "toprung.web.ops.wsgi.application"
SITE_ID = 1

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "django_ox",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    *(f"allauth.socialaccount.providers.{provider.id}" for provider in ENVIRONMENT.login_providers),
    "toprung.web.core",
    "toprung.web.ops",
]
MIDDLEWARE = [
    "toprung.web.ops.watch.requests.note_requests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "toprung.web.ops.kept_pages.middleware.KeepPages",
    "toprung.web.ops.compression.CompressPages",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "toprung.web.site.caching.keep_no_private_pages",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "toprung.web.api.answers.answer_in_json",
    "toprung.web.ops.watch.files_away.SayFilesAreAway",
    "toprung.web.site.characters.RefuseZeros",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [WEB / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "toprung.web.site.context.version",
                "toprung.web.site.context.mail",
                "toprung.web.site.context.copy",
            ],
            "libraries": {
                "sharing": "toprung.web.site.templatetags.sharing",
                "shown": "toprung.web.site.templatetags.shown",
            },
            "string_if_invalid": "",
        },
    }
]

# ---- data ----
DATABASES = {"default": databases.django_settings(ENVIRONMENT)}
# In the same database, so that all processes of the server count rate limits together; file caches cannot lock.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "toprung_cache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
    # Apart, and in the memory of each process: whoever has many painted pushes out pictures, and no limit.
    "pictures": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pictures",
        "TIMEOUT": 3600,
        "OPTIONS": {"MAX_ENTRIES": 128},
    },
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STORAGES = {
    "default": ENVIRONMENT.file_store.django_settings()
    if ENVIRONMENT.file_store
    else {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": ENVIRONMENT.files, "file_permissions_mode": 0o600, "directory_permissions_mode": 0o700},
    },
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
STATIC_URL = "/static/"
STATIC_ROOT = ENVIRONMENT.data_folder / "static"
STATICFILES_DIRS = [WEB / "static", ("toprung", WEB.parent / "report/page/shared")]

# ---- background work: a queue in the same database, so that a task is enqueued with what it belongs to ----
TASKS = {
    "default": {
        "BACKEND": "django_ox.backend.OxBackend",
        "QUEUES": [URGENT, LATER],
        "OPTIONS": {
            "MAX_ATTEMPTS": 5,
            "LOCK_TIMEOUT": LEASE_SECONDS,
            "WORKER_CLASS": "toprung.web.ops.working.BoardWorker",
            "BACKOFF_INITIAL": 2,
            "BACKOFF_MAX": LONGEST_BACKOFF,
            "SCHEDULES": SCHEDULES,
        },
    }
}

# ---- people ----
AUTH_USER_MODEL = "web.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_REDIRECT_URL = "/"
LOGIN_URL = "account_login"
PASSWORD_RESET_TIMEOUT = 24 * 3600
ACCOUNT_ADAPTER = "toprung.web.site.account.adapters.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "toprung.web.site.account.forms.SignupForm"
ACCOUNT_FORMS = {
    "add_email": "toprung.web.site.account.allauth_forms.ChangeAddressForm",
    "change_password": "toprung.web.site.account.allauth_forms.ChangePasswordForm",
    "reset_password": "toprung.web.site.account.allauth_forms.ResetPasswordForm",
    "set_password": "toprung.web.site.account.allauth_forms.SetPasswordForm",
    "reset_password_from_key": "toprung.web.site.account.allauth_forms.ResetPasswordKeyForm",
}
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Toprung: "
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if ENVIRONMENT.mail else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = bool(ENVIRONMENT.mail)
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
# Without mail nobody can be told in private that an address is taken, so signing up has to say it.
ACCOUNT_PREVENT_ENUMERATION = bool(ENVIRONMENT.mail)
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Counted in the cache, for all processes together. A lab or a class may come from one address, so signing up is counted
# by the hour. Failed logins are counted for each account too: see `toprung.web.site.account.guessing`.
ACCOUNT_RATE_LIMITS = {
    "signup": "60/h/ip",
    "login": "120/m/ip",
    "login_failed": "20/m/ip,5/5m/key",
    "login_failed_anywhere": "60/h/key",
    "reset_password": "20/h/ip,3/h/key",
    "create_team": "5/d/user",
    "invite": "30/h/user",
    "delete_account": "5/m/user",
    "compare": "60/h/user",
    "compare_anonymously": "12/h/ip",
    # A picture or sheet takes 0.1 s of a core to paint: one address has a twentieth of one.
    "paint": "30/m/user",
    "paint_anonymously": "30/m/ip",
    "change_roles": "120/h/user",
    "create_token": "20/h/user",
    "add_hook": "20/h/user",
    # Work is released after two hours, so one address holds 80 tasks at most: see `toprung.web.site.judging.coming`.
    "judge_openly": "10/m/key,40/h/key",
    "api": "600/m/key",
    "api_anonymously": "300/m/ip",
    "api_refused": "60/m/ip",
}
HAND_IN_SECONDS = 0.1
"""That it takes at least: see `toprung.web.services.judging.evenly`."""
# Behind TLS there is a proxy, and it says where a request came from.
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if ENVIRONMENT.is_behind_tls else 0
MFA_ADAPTER = "toprung.web.site.account.adapters.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = f"Toprung {ENVIRONMENT.public_url.partition('://')[2]}"
MFA_ALLOW_UNVERIFIED_EMAIL = not ENVIRONMENT.mail
SOCIALACCOUNT_ADAPTER = "toprung.web.site.account.adapters.SocialAccountAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_PROVIDERS = {
    provider.id: {"APP": {"client_id": provider.client_id, "secret": provider.secret}}
    for provider in ENVIRONMENT.login_providers
}

# ---- mail: handed to the server that was set, else to nobody ----
MAILERS: dict[str, dict[str, Any]] = {"default": {"BACKEND": "django.core.mail.backends.dummy.EmailBackend"}}
DEFAULT_FROM_EMAIL = ENVIRONMENT.mail_from
if ENVIRONMENT.mail:
    MAILERS["default"] = {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": ENVIRONMENT.mail.host,
            "port": ENVIRONMENT.mail.port,
            "username": ENVIRONMENT.mail.user,
            "password": ENVIRONMENT.mail.password,
            "use_ssl": ENVIRONMENT.mail.speaks_tls,
            "use_tls": bool(ENVIRONMENT.mail.user) and not ENVIRONMENT.mail.speaks_tls,
            "timeout": 20,
        },
    }

# ---- the web ----
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "style-src": [CSP.SELF],
    "script-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF, *(provider.origin for provider in ENVIRONMENT.login_providers)],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ENVIRONMENT.is_behind_tls
CSRF_COOKIE_HTTPONLY = True
if ENVIRONMENT.is_behind_tls:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = False
    # Names below this one, and whether browsers know them beforehand, are for whoever owns the name to decide.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # asked from the machine itself
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 << 20
FILE_UPLOAD_TEMP_DIR = ENVIRONMENT.incoming
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 12
FILE_UPLOAD_HANDLERS = ["toprung.web.core.store.upload_cap.CappedUploadHandler"]

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False
FORMS_URLFIELD_ASSUME_HTTPS = True
LOGGING = logs.logging_settings(ENVIRONMENT.log_format)
