// A whole session through the Go client of openapi-generator.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"

	api "example.test/api/client"
)

var client *api.APIClient
var ctx = context.WithValue(context.Background(), api.ContextAccessToken, os.Getenv("WM_API_KEY_WRITE"))

func must[T any](value T, response *http.Response, err error) T {
	check(err == nil, err)
	return value
}

func check(holds bool, says any) {
	if !holds {
		log.Panic(says)
	}
}

func refused(response *http.Response, err error, statuses ...int) api.ErrorInfo {
	check(err != nil && slices.Contains(statuses, response.StatusCode), response)
	var failure *api.GenericOpenAPIError
	check(errors.As(err, &failure), err)
	body, decoded := failure.Model().(api.ErrorResponse)
	check(decoded, failure.Model())
	return body.Error
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("WM_BASE_URL")}}
	client = api.NewAPIClient(configuration)

	if os.Getenv("WM_LIMITED") != "" {
		_, response, err := client.UsersAPI.GetMe(ctx).Execute()
		limited := refused(response, err, 429)
		check(limited.Code == "rate_limit_exceeded" && response.Header.Get("Retry-After") == "1", limited)
	}
	me := must(client.UsersAPI.GetMe(ctx).Execute()).Data

	hook := api.WebhookDraft{Url: os.Getenv("WM_CONTROL_URL") + "/inbox/session", Events: []api.EventName{api.TASK_CREATED}}
	check(must(client.WebhooksAPI.CreateWebhook(ctx).WebhookDraft(hook).Execute()).Data.Secret != "", "no secret")

	project := must(client.ProjectsAPI.CreateProject(ctx).ProjectDraft(*api.NewProjectDraft("Session")).Execute()).Data.Id
	for i := range 5 {
		draft := api.NewTaskDraft(fmt.Sprint("Task ", i))
		draft.SetAssigneeId(me.Id)
		draft.SetPriority([]api.TaskPriority{api.LOW, api.HIGH}[i%2])
		check(must(client.TasksAPI.CreateTask(ctx, project).TaskDraft(*draft).Execute()).Data.Status == "backlog", "its status")
	}

	var seen []api.Task
	for list := client.TasksAPI.ListProjectTasks(ctx, project).Limit(2).Sort("-title"); ; {
		page := must(list.Execute())
		seen = append(seen, page.Items...)
		if !page.Meta.HasMore {
			break
		}
		list = list.Cursor(*page.Meta.NextCursor.Get())
	}
	check(len(seen) == 5 && seen[0].Title == "Task 4" && seen[4].Title == "Task 0", seen)
	high := must(client.TasksAPI.ListTasks(ctx).FilterProjectId(project).FilterPriority(api.HIGH).Execute())
	check(high.Meta.Total == 2 && high.Items[0].Priority == "high", high)

	task := seen[0].Id
	patch := api.NewTaskPatch()
	patch.SetStatus(api.DONE)
	patch.SetDueDateNil()
	check(must(client.TasksAPI.UpdateTask(ctx, task).TaskPatch(*patch).Execute()).Data.Status == "done", "its status")
	patch = api.NewTaskPatch()
	patch.SetAssigneeId("user_nobody")
	_, response, err := client.TasksAPI.UpdateTask(ctx, task).TaskPatch(*patch).Execute()
	check(refused(response, err, 400, 422).Details.Fields[0].Field == "assignee_id", response)
	_, err = client.TasksAPI.DeleteTask(ctx, task).Execute()
	check(err == nil, err)
	_, response, err = client.TasksAPI.GetTask(ctx, task).Execute()
	check(refused(response, err, 404).Code != "", response)
}
