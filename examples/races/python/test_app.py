# A test in Python with a race: what was asked last is to be shown.
import json, os, threading, time, unittest, urllib.request


def ask(path):
    request = urllib.request.Request(os.environ["WM_BASE_URL"] + path)
    request.add_header("Authorization", "Bearer " + os.environ["WM_API_KEY_READ"])
    with urllib.request.urlopen(request) as response:
        return json.load(response)["items"]


class Search(unittest.TestCase):
    def test_shows_what_was_asked_last(self):
        shown = {}

        def show(status):
            shown["tasks"] = {task["status"] for task in ask("/tasks?filter[status]=" + status)}

        threads = [threading.Thread(target=show, args=[status]) for status in ("todo", "done")]
        for thread in threads:
            thread.start()
            time.sleep(0.1)
        for thread in threads:
            thread.join()
        self.assertEqual(shown["tasks"], {"done"})
