// A short session through the Go client of the control API: a world, a fault, time, the journal.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	api "example.test/api/client"
)

var ctx = context.Background()

func at(url string) *api.APIClient {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: url}}
	return api.NewAPIClient(configuration)
}

func must[T any](value T, response *http.Response, err error) T {
	check(err == nil, err)
	return value
}

func check(holds bool, says any) {
	if !holds {
		log.Panic(says)
	}
}

func main() {
	worlds := at(os.Getenv("WM_CONTROL_URL")).WorldsAPI
	world := must(worlds.CreateWorld(ctx).WorldDraft(api.WorldDraft{Id: api.PtrString("session")}).Execute())
	mock := at(world.ControlUrl)

	match := api.FaultMatch{Operation: api.PtrString("listTasks")}
	effect := api.FaultEffect{Status: api.PtrInt32(503)}
	must(mock.FaultsAPI.CreateFault(ctx).FaultDraft(api.FaultDraft{Match: &match, Effect: effect, Times: api.PtrInt32(1)}).Execute())
	request, _ := http.NewRequest("GET", world.BaseUrl+"/tasks", nil)
	request.Header.Set("Authorization", "Bearer "+world.Keys[0].Value)
	for _, status := range []int{503, 200} {
		response, err := http.DefaultClient.Do(request)
		check(err == nil && response.StatusCode == status, response)
	}

	now := api.ClockDraftNow{String: api.PtrString("2025-01-20T09:00:00Z")}
	must(mock.ClockAPI.SetClock(ctx).ClockDraft(api.ClockDraft{Now: &now, Mode: api.PtrString("frozen")}).Execute())
	by := api.AdvanceBy{String: api.PtrString("1d")}
	advanced := must(mock.ClockAPI.AdvanceClock(ctx).Advance(api.Advance{By: &by}).Execute())
	check(advanced.Now.Day() == 21 && advanced.Mode == "frozen", advanced)

	journal := must(mock.JournalAPI.ListRequests(ctx).Operation("listTasks").Execute()).Items
	check(len(journal) == 2 && journal[0].Status == 503 && journal[1].Response.Body != nil, journal)
}
