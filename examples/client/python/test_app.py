# A test in Python that breaks two duties: a PATCH must return 200, and a 429 ends it.
import json, os, unittest, urllib.request


def send(method, path, body=None):
    request = urllib.request.Request(os.environ["WM_BASE_URL"] + path, method=method)
    request.add_header("Authorization", "Bearer " + os.environ["WM_API_KEY_WRITE"])
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, body and json.dumps(body).encode()) as response:
        return response.status, json.load(response)["data"]


class Projects(unittest.TestCase):
    def test_renames_a_project(self):
        _, project = send("POST", "/projects", {"name": "Kitchen"})
        status, renamed = send("PATCH", "/projects/" + project["id"], {"name": "Garden"})
        self.assertEqual((status, renamed["name"]), (200, "Garden"))
