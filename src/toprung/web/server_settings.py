"""How does the web server run? Settings of gunicorn; where it listens and with how many processes is said at start."""

from toprung.web.logs import LOGGING

wsgi_app = "toprung.web.wsgi:application"
threads = 4
timeout = 120
graceful_timeout = 20
control_socket_disable = True
loglevel = "warning"
logconfig_dict = LOGGING
