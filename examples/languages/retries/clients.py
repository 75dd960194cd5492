# Asks for the tasks so many times, by a client that retries: python clients.py urllib3|tenacity 4
import os
import sys

import tenacity
import urllib3

URL, HEADERS = os.environ["WM_BASE_URL"] + "/tasks", {"Authorization": "Bearer wm_acme"}
PASSING = [429, 502, 503]


class Refused(Exception):
    pass


def wait(state):
    return float(state.outcome.exception().args[0])


@tenacity.retry(retry=tenacity.retry_if_exception_type(Refused), wait=wait, stop=tenacity.stop_after_attempt(6))
def by_tenacity():
    response = urllib3.request("GET", URL, headers=HEADERS, retries=False)
    if response.status in PASSING:
        raise Refused(response.headers.get("Retry-After", 0.2))
    return response


def by_urllib3():
    retries = urllib3.Retry(total=5, status_forcelist=PASSING, backoff_factor=0.1)
    return urllib3.request("GET", URL, headers=HEADERS, retries=retries)


for _ in range(int(sys.argv[2])):
    assert {"urllib3": by_urllib3, "tenacity": by_tenacity}[sys.argv[1]]().json()["items"] == []
