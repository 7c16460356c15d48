"""The board's own settings, on a folder of their own and with passwords that are fast to check."""

import os
import tempfile

FOLDER = tempfile.TemporaryDirectory(prefix="toprung-tests-")
os.environ |= {"TOPRUNG_DATA": FOLDER.name, "TOPRUNG_SECRET_KEY": "only-for-tests-" + "x" * 32}

from toprung.web.ops.settings import *  # noqa: E402, F403 - the environment must be set before

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
HAND_IN_SECONDS = 0.0
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405 - from *
INSTALLED_APPS += ["allauth.socialaccount.providers.dummy"]  # noqa: F405 - from *
STATIC_ROOT.mkdir()  # noqa: F405 - from *; WhiteNoise warns of a folder that is not there
ENVIRONMENT.incoming.mkdir()  # noqa: F405 - from *; `set_up` makes it for a server
