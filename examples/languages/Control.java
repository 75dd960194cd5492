// A short session through the Java client of the control API: a world, a fault, time, the journal.
import java.net.URI;
import java.net.http.*;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

class Control {
  static void check(boolean holds, Object says) {
    if (!holds) throw new AssertionError(says);
  }

  public static void main(String[] args) throws Exception {
    var worlds = new WorldsApi(new ApiClient().setBasePath(System.getenv("WM_CONTROL_URL")));
    var world = worlds.createWorld(new WorldDraft().id("session"));
    var mock = new ApiClient().setBasePath(world.getControlUrl().toString());

    var match = new FaultMatch().operation(FaultMatch.OperationEnum.LIST_TASKS);
    new FaultsApi(mock).createFault(new FaultDraft().match(match).effect(new FaultEffect().status(503)).times(1));
    var request = HttpRequest.newBuilder(URI.create(world.getBaseUrl() + "/tasks"))
        .header("Authorization", "Bearer " + world.getKeys().get(0).getValue()).build();
    for (var status : new int[] {503, 200}) {
      var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
      check(response.statusCode() == status, response);
    }

    var clock = new ClockApi(mock);
    clock.setClock(new ClockDraft().now(new ClockDraftNow("2025-01-20T09:00:00Z")).mode(ClockDraft.ModeEnum.FROZEN));
    var advanced = clock.advanceClock(new Advance().by(new AdvanceBy("1d")));
    check(advanced.getNow().getDayOfMonth() == 21 && advanced.getMode() == ClockAdvanced.ModeEnum.FROZEN, advanced);

    var journal = new JournalApi(mock).listRequests(null, null, null, "listTasks", null, null).getItems();
    check(journal.size() == 2 && journal.get(0).getStatus() == 503 && journal.get(1).getResponse().getBody() != null, journal);
  }
}
