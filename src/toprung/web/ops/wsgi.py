"""What the web server calls."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "toprung.web.ops.settings")
application = get_wsgi_application()
