# A whole session through the Python client of openapi-generator.
import os

from openapi_client import *
from openapi_client.exceptions import ApiException

configuration = Configuration(host=os.environ["WM_BASE_URL"], access_token=os.environ["WM_API_KEY_WRITE"], retries=False)
client = ApiClient(configuration)
projects, tasks, users, webhooks = ProjectsApi(client), TasksApi(client), UsersApi(client), WebhooksApi(client)


def refused(call, *statuses):
    try:
        call()
    except ApiException as failure:
        assert failure.status in statuses, failure
        return failure
    raise AssertionError(f"not answered {statuses}")


if "WM_LIMITED" in os.environ:
    limited = refused(users.get_me, 429)
    assert limited.data.error.code == "rate_limit_exceeded" and limited.headers["Retry-After"] == "1"
me = users.get_me().data

made = webhooks.create_webhook(WebhookDraft(url=os.environ["WM_CONTROL_URL"] + "/inbox/session", events=[EventName.TASK_DOT_CREATED])).data
assert made.secret

project = projects.create_project(ProjectDraft(name="Session")).data
for i in range(5):
    draft = TaskDraft(title=f"Task {i}", assignee_id=me.id, priority=TaskPriority.HIGH if i % 2 else TaskPriority.LOW)
    assert tasks.create_task(project.id, draft).data.status == "backlog"

seen, cursor = [], None
while True:
    page = tasks.list_project_tasks(project.id, limit=2, cursor=cursor, sort="-title")
    seen += page.items
    cursor = page.meta.next_cursor
    if not page.meta.has_more:
        break
assert [task.title for task in seen] == [f"Task {i}" for i in (4, 3, 2, 1, 0)]
high = tasks.list_tasks(filter_project_id=project.id, filter_priority=TaskPriority.HIGH)
assert high.meta.total == 2 and high.items[0].priority == "high"

task = seen[0].id
assert tasks.update_task(task, TaskPatch(status=TaskStatus.DONE, due_date=None)).data.status == "done"
wrong = refused(lambda: tasks.update_task(task, TaskPatch(assignee_id="user_nobody")), 400, 422)
assert wrong.data.error.details.fields[0].var_field == "assignee_id"
tasks.delete_task(task)
assert refused(lambda: tasks.get_task(task), 404).data.error.code
