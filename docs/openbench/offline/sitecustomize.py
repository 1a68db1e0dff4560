"""Sends OpenBench's requests for GitHub to github.py: PYTHONPATH=.../docs/openbench/offline, for server and clients.

OPENBENCH_GITHUB is the address of github.py, by default http://127.0.0.1:8100.
"""

import os
import re

try:
    import requests
except ImportError:
    requests = None

if requests is not None:
    _address = os.environ.get("OPENBENCH_GITHUB", "http://127.0.0.1:8100")
    _request = requests.Session.request

    def _redirected(self, method, url, *args, **kwargs):
        return _request(self, method, re.sub(r"^https://(api\.)?github\.com", _address, url), *args, **kwargs)

    requests.Session.request = _redirected
