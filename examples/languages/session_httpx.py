# A whole session through the client of openapi-python-client.
import os

from client import AuthenticatedClient
from client.api.projects import create_project
from client.api.tasks import create_task, delete_task, get_task, list_project_tasks, list_tasks, update_task
from client.api.users import get_me
from client.api.webhooks import create_webhook
from client.models import *

client = AuthenticatedClient(base_url=os.environ["WM_BASE_URL"], token=os.environ["WM_API_KEY_WRITE"])


def call(operation, statuses, *given, **named):
    response = operation.sync_detailed(*given, client=client, **named)
    assert response.status_code in statuses, response
    return response


OK = range(200, 300)


if "WM_LIMITED" in os.environ:
    limited = call(get_me, [429])
    assert limited.parsed.error.code == "rate_limit_exceeded" and limited.headers["Retry-After"] == "1"
me = call(get_me, OK).parsed.data

inbox = os.environ["WM_CONTROL_URL"] + "/inbox/session"
assert call(create_webhook, OK, body=WebhookDraft(url=inbox, events=[EventName.TASK_CREATED])).parsed.data.secret

project = call(create_project, OK, body=ProjectDraft(name="Session")).parsed.data
for i in range(5):
    draft = TaskDraft(title=f"Task {i}", assignee_id=me.id, priority=TaskPriority.HIGH if i % 2 else TaskPriority.LOW)
    assert call(create_task, OK, project.id, body=draft).parsed.data.status == "backlog"

seen, more = [], {}
while True:
    page = call(list_project_tasks, OK, project.id, limit=2, sort=ListProjectTasksSort.VALUE_7, **more).parsed
    seen += page.items
    more = {"cursor": page.meta.next_cursor}
    if not page.meta.has_more:
        break
assert [task.title for task in seen] == [f"Task {i}" for i in (4, 3, 2, 1, 0)]
high = call(list_tasks, OK, filterproject_id=project.id, filterpriority=TaskPriority.HIGH).parsed
assert high.meta.total == 2 and high.items[0].priority == "high"

task = seen[0].id
assert call(update_task, OK, task, body=TaskPatch(status=TaskStatus.DONE, due_date=None)).parsed.data.status == "done"
wrong = call(update_task, [400, 422], task, body=TaskPatch(assignee_id="user_nobody")).parsed
assert wrong.error.details.fields[0].field == "assignee_id"
call(delete_task, OK, task)
assert call(get_task, [404], task).parsed.error.code
