// A whole session through the Java client of openapi-generator.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

class Session {
  static void check(boolean holds, Object says) {
    if (!holds) throw new AssertionError(says);
  }

  static ApiException refused(Callable<?> call, Integer... statuses) throws Exception {
    try {
      call.call();
    } catch (ApiException failure) {
      check(List.of(statuses).contains(failure.getCode()), failure);
      return failure;
    }
    throw new AssertionError("not answered " + List.of(statuses));
  }

  static ErrorInfo errorOf(ApiException failure) throws Exception {
    return ErrorResponse.fromJson(failure.getResponseBody()).getError();
  }

  public static void main(String[] args) throws Exception {
    var client = new ApiClient().setBasePath(System.getenv("WM_BASE_URL"));
    client.setBearerToken(System.getenv("WM_API_KEY_WRITE"));
    var tasks = new TasksApi(client);
    var users = new UsersApi(client);

    if (System.getenv("WM_LIMITED") != null) {
      var limited = refused(users::getMe, 429);
      check(errorOf(limited).getCode().equals("rate_limit_exceeded"), limited);
      check(limited.getResponseHeaders().get("retry-after").equals(List.of("1")), limited);
    }
    var me = users.getMe().getData();

    var hook = new WebhookDraft().url(java.net.URI.create(System.getenv("WM_CONTROL_URL") + "/inbox/session")).addEventsItem(EventName.TASK_CREATED);
    check(!new WebhooksApi(client).createWebhook(hook).getData().getSecret().isEmpty(), hook);

    var project = new ProjectsApi(client).createProject(new ProjectDraft().name("Session")).getData().getId();
    for (int i = 0; i < 5; i++) {
      var draft = new TaskDraft().title("Task " + i).assigneeId(me.getId()).priority(i % 2 == 0 ? TaskPriority.LOW : TaskPriority.HIGH);
      check(tasks.createTask(project, draft).getData().getStatus().equals("backlog"), draft);
    }

    var seen = new ArrayList<Task>();
    TaskList page = null;
    do {
      var cursor = page == null ? null : page.getMeta().getNextCursor();
      page = tasks.listProjectTasks(project, 2, cursor, null, null, null, "-title");
      seen.addAll(page.getItems());
    } while (page.getMeta().getHasMore());
    check(seen.stream().map(Task::getTitle).toList().equals(List.of("Task 4", "Task 3", "Task 2", "Task 1", "Task 0")), seen);
    var high = tasks.listTasks(null, null, null, null, project, TaskPriority.HIGH, null);
    check(high.getMeta().getTotal() == 2 && high.getItems().get(0).getPriority().equals("high"), high);

    var task = seen.get(0).getId();
    check(tasks.updateTask(task, new TaskPatch().status(TaskStatus.DONE)).getData().getStatus().equals("done"), task);
    var wrong = refused(() -> tasks.updateTask(task, new TaskPatch().assigneeId("user_nobody")), 400, 422);
    check(errorOf(wrong).getDetails().getFields().get(0).getField().equals("assignee_id"), wrong);
    tasks.deleteTask(task);
    check(!errorOf(refused(() -> tasks.getTask(task), 404)).getCode().isEmpty(), task);
  }
}
