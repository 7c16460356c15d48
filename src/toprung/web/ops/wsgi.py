"""What the web server calls."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from toprung.web.core.config.postgres import limit_requests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "toprung.web.ops.settings")
limit_requests(settings.DATABASES["default"])
application = get_wsgi_application()
