// The texts of pages of single records, requests and deliveries; their actions as a whole are in golden/offers.txt.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DashboardBench } from '../test/dashboard.ts';
import { linesOf, mainOf } from '../test/reading.ts';
import { busy, changed } from '../test/states.ts';

/**
 * A rule and its page, then the lines of that page: a tone precedes a chip, an address before a link,
 * an action before a button, a name before what its field holds, and `*` before what is chosen.
 */
const BUSY = `
# a list of projects has visibility in its tone, counts and owners: /dashboard/data/projects
Website relaunch | [info] team | (/dashboard/data/tasks?workspace=ws_acme&filter%5Bproject_id%5D=proj_website) 13 tasks of Website
Sprig 2 launch | [good] public |
Hiring: firmware and evening support | private |
WZ Wen Zhao | 6 d ago | 5 d ago
# a list of tasks shows states in their tones, people and due dates: /dashboard/data/tasks
Incident: the basil flood | [warn] in review | [warn] high | TB Tallulah Begay | 27 h ago (overdue) |
Incident: the basil flood | [good] done | [bad] urgent | PR Priya Raman | 4 d ago |
Incident: the basil flood | [info] in progress | [bad] urgent | AO Ada Okafor | in 8 h
Party on the roof Sprig 2 launch | backlog | low | no one | none |
# a record says who has changed what, newest first: /dashboard/data/tasks?open=task_ahcqg6xzbctwfyy3
title Water the herbs on every floor, in_review by Release script, (/dashboard/requests/req_3) req_3 3 h ago created by Release script, (/dashboard/requests/req_2) req_2 3 h ago
# a sorted list says by what and which way, and turns round: /dashboard/data/tasks?limit=3&sort=title
(/dashboard/data/tasks?limit=3&sort=-title) Title ↑ , ascending
(/dashboard/data/tasks?limit=3&sort=due_date) Due , sort by it
1–3 of 69
Next 3
# a sort that was turned round turns again: /dashboard/data/tasks?sort=-updated_at
(/dashboard/data/tasks?sort=updated_at) Updated ↓ , descending
# filters are shown as chosen, kept by links, and cleared: /dashboard/data/tasks?filter[status]=todo&filter[priority]=high&sort=-due_date&limit=2&workspace=ws_globex
Status filter[status]: any backlog *todo in_progress in_review done
Priority filter[priority]: any low medium *high urgent
Apply (/dashboard/data/tasks?workspace=ws_globex) Clear
Due ↓ , descending
# comments of a task that has none lead to all: /dashboard/data/comments?task_id=task_none
No comment fits
# a wrong cursor is said: /dashboard/data/tasks?cursor=broken
cursor must be the next_cursor
# an unknown collection is said: /dashboard/data/keys
There is no collection "keys": projects, tasks, users, teams, comments.
# settings show keys with scope, use and end: /dashboard/settings
Head office | admin | AO Ada Okafor | 3 h ago | 30 s ago |
Screen in the hallway | read | TB Tallulah Begay | 3 h ago | now |
Laptop left on the night train | write | MR Mateo Ríos | 3 h ago | never | [bad] revoked
# the journal lists requests with status, key, warnings and faults: /dashboard/requests
12:03:30.000 | GET (/dashboard/requests/req_10) /v1/users | [refused] 401 | | no known key |
| [refused] 422 | | Release script write | [warn] unknown-field
| [bad] 503 | | Screen in the hallway read | [bad] fault_1
# the journal shows filters as chosen, and clears them: /dashboard/requests?status=4xx&path=/tasks*&method=GET&operation=getTask
Status status: any 2xx *4xx 5xx
Method method: any *GET POST
listTasks createTask *getTask
Search q=path:/tasks* Apply (/dashboard/requests) Clear
# older requests lead to newer ones: /dashboard/requests?before=req_4
Those before req_4. (/dashboard/requests) Newest
# a request that created shows the record: /dashboard/requests/req_2
[good] created tasks task_
Of the events that this request caused.
# a request that changed shows each field before and after, and who was told: /dashboard/requests/req_3
status | was backlog | is in_review
| (/dashboard/webhooks/deliveries/dlv_qhvncy4tptkqmj7y) task.updated Water the herbs on every floor | [good] delivered |
| (/dashboard/webhooks/deliveries/dlv_dfqmgv1aygapbxhg) task.updated Water the herbs on every floor | [bad] failed |
# a request with the response of a fault names it, and the check that it replaced: /dashboard/requests/req_4
[bad] fault_1
fault refused: fault_1 ordered 503;
# the last request has none after it: /dashboard/requests/req_15
(/dashboard/requests/req_14) Older (/dashboard/requests) All requests
Fork this world as it is now
As it stands right after this request. Its journal begins empty.
# the first request has none before it: /dashboard/requests/req_1
(/dashboard/requests/req_2) Newer (/dashboard/requests) All requests
Copy as curl Copy as bug report (#again) Edit and send again (/dashboard/faults?operation=listTasks&
503&times=1#new) Fail the next (/dashboard/timeline?from=3) What followed
# a refusal is told once, by the check that refused, and a key by its name: /dashboard/requests/req_9
key passed: key Screen in the hallway of Tallulah Begay in workspace Acme Gardens spec: Authentication
scope refused: 403: This action needs a key of scope write; this key has read.
# a fork of later has what came since: /dashboard/requests/req_14
With what 1 request changed that came after this one. Its journal begins empty.
# a delivery that was given up says so: /dashboard/webhooks/deliveries/dlv_dfqmgv1aygapbxhg
given up the last retry failed; only a replay tries once more
# one registration leads back to all: /dashboard/webhooks?id=wh_board
Registration wh_board
(/dashboard/webhooks) 
# the log tells each delivery with its attempts and the next one: /dashboard/webhooks/deliveries
task.created Send the press kit | [warn] retrying | [bad] 503 [bad] refused | in 2:00 | http://127.0.0.1:9999/hooks
| [bad] failed | [bad] 500 [bad] 500 [bad] dns [bad] 500 [bad] 502 [bad] 500 | — | https://board.acme.test/hooks/tasks
| [good] delivered | [bad] 500 [bad] timeout [good] 200 | — |
# the log shows filters as chosen, and clears them: /dashboard/webhooks/deliveries?state=retrying&event=task.created&webhook_id=wh_hooks
State state: any pending *retrying delivered failed Apply (/dashboard/webhooks/deliveries) Clear
Event event: any *task.created
any *wh_hooks · 
# where no delivery fits the log says so: /dashboard/webhooks/deliveries?state=pending
None fits
None of the 6 that are kept is what you ask for. (/dashboard/webhooks/deliveries) Show them all .
# a fault begins with what its link says: /dashboard/faults?operation=createTask&status=503&times=1&method=POST&path=%2Ftasks&key=key_x
Method match.method: any GET *POST
Path match.path=/tasks
match.key: *key_x any
502 *503 504
Times times=1
# faults that wait say how many they let pass: /dashboard/faults
fault_2 | GET /teams* | late by 200–900 ms | after 20 waits | applied to 0 , matched 1 | |
# open points are found by their words: /dashboard/choices?find=%20Cursor-limit
1 open point
# open points tell what touched them: /dashboard/choices
How is a delivery signed? [info] touched by 6 deliveries
(/dashboard/requests?q=point%3Aunknown-body-fields) touched by 1 request
# where no open point fits, the page says so: /dashboard/choices?show=changed&find=nothing-of-that
No open point fits
`;

const CHANGED = `
# the default world lists the others: /dashboard/worlds
(/worlds/other/) other | [refused] 3 refused | 11 | just now | just now |
(/) default [info] this one | — | 0 | just now |
# a team without members says so: /worlds/other/dashboard/data/teams?open=team_4pddgk9sarqa467v&limit=1
No members yet | 0 |
Members None yet. Members are given when a team is created
# a connection that was closed is shown as such: /worlds/other/dashboard/requests/req_1
[bad] closed listTasks 2025-01-20 09:00:00.000 UTC Head office (admin), Acme Gardens [bad] fault_1
The connection was closed instead of a response.
fault refused: fault_1 closed the connection; the request was not performed the mock
# a request that deleted shows what is gone: /worlds/other/dashboard/requests/req_2
[bad] deleted projects proj_app
Of the events that this request caused.
project.deleted Sprig app 3.0 | [good] delivered |
# a request without a key has none to send again, and its fault is for its path: /worlds/other/dashboard/requests/req_3
[refused] 401 no operation 2025-01-20 09:00:00.000 UTC no known key
fetch const response = await fetch("http://127.0.0.1:4700/worlds/other/v1/nowhere", { "method": "GET", "headers": {} });
(/worlds/other/dashboard/faults?method=GET&path=%2Fnowhere&status=503&times=1#new) Fail the next
# a body that is no JSON is shown as it came: /worlds/other/dashboard/requests/req_4
{"name":
body refused: 400:
# a secret is hidden: /worlds/other/dashboard/requests/req_5
"secret": "[hidden]"
[good] created webhooks wh_
# outcomes on order are shown as far as there is room: /worlds/other/dashboard/webhooks
Ordered: [info] 500 [info] 501 [info] 502
[info] 511
And 2 more.
Deliveries none yet
# the log names what an event was about: /worlds/other/dashboard/webhooks/deliveries
project.deleted Sprig app 3.0 | [good] delivered | [good] 204 | — |
project.created Told |
# a box that only has orders was sent nothing: /worlds/other/dashboard/webhooks/inbox
a box | http://127.0.0.1:4700/worlds/other/_mock/inbox/a%20box | 0 | never | [bad] 503
# a limit of its own stands among the limits: /worlds/other/dashboard/clock
Globex Antique Globes | own limit | | 0 | 5 of 5 |
# faults tell what they apply to, how often, and whether they hold: /worlds/other/dashboard/faults
fault_1 | every request | connection closed | once used up | applied to 1 , matched 11 | |
fault_2 | listTeams | held until released | after 2, 12.5 % waits | applied to 0 , matched 0 | 0 |
id=fault_2 {release} Release {remove} Remove
fault_3 | /held | late by 5 ms, held until released | always used up | applied to 0 , matched 0 | released |
# open points with another choice lead back to the defaults: /worlds/other/dashboard/choices?show=changed
1 of them have another choice than the default. {defaults} Back to the defaults
How is a delivery signed? [warn] not the default [info] touched by 3 deliveries
touched 25
`;

const rowsOf = (text: string) =>
  text
    .trim()
    .split(/^# /m)
    .slice(1)
    .map((row) => {
      const [head = '', ...says] = row.trimEnd().split('\n');
      const at = head.lastIndexOf(': ');
      return [head.slice(0, at), head.slice(at + 2), says] as const;
    });

describe.each([
  ['After a morning of traffic', busy, BUSY],
  ['In a world of its own, where much was changed', changed, CHANGED],
] as const)('%s', (_, make, rows) => {
  let bench: DashboardBench;
  beforeAll(async () => {
    bench = await make();
  });
  afterAll(() => bench.mock.close());
  test.each(rowsOf(rows))('%s', async (_rule, path, says) => {
    const lines = linesOf(mainOf((await bench.get(path)).text));
    const missing = says.filter((words) => !lines.some((line) => line.includes(words)));
    expect(missing, lines.join('\n')).toEqual([]);
  });
});
