"""The board's own settings for processes that a test starts: on a folder it chose, and dead workers are soon found."""

from tests.chaos.clock import follow_clock

from toprung.web.ops import settings
from toprung.web.ops.settings import *  # noqa: F403 - all of them

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = settings.STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
TASKS = {
    "default": settings.TASKS["default"]
    | {"OPTIONS": settings.TASKS["default"]["OPTIONS"] | {"LOCK_TIMEOUT": 2, "BACKOFF_INITIAL": 0.1}}
}
settings.ENVIRONMENT.incoming.mkdir(parents=True, exist_ok=True)  # `set_up` makes it for a server
follow_clock()
