// What each page tells: in a mock after a morning of traffic, in an empty one, and in a world of its own in which much was changed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHOICES } from '../contract/choices.ts';
import { LATEST, RELEASES } from '../contract/releases.ts';
import type { DashboardBench } from '../test/dashboard.ts';
import { linesOf, mainOf } from '../test/reading.ts';
import { bare, busy, changed } from '../test/states.ts';

/**
 * A rule and its page, then what stands in the lines of that page: a tone stands before a chip, an address before a link,
 * an action before a button, a name before what its field holds, and `*` before what is chosen.
 */
const BUSY = String.raw`
# the overview counts what there is, and leads to it: /
The default world with Acme Gardens and Globex Antique Globes.
(/dashboard/data/projects) 7 projects (/dashboard/data/tasks) 84 tasks (/dashboard/data/users) 14 users
(/dashboard/webhooks) 2 webhooks (/dashboard/requests) 15 requests (/dashboard/webhooks) 6 deliveries
# the overview has an address, keys by scope and lines to copy: /
Base URL http://127.0.0.1:4700/v1
[warn] admin | wm_acme_admin | Ada Okafor , Acme Gardens
[info] write | wm_acme_write | Wen Zhao , Acme Gardens
read | wm_globex_read | Tomasz Wrona , Globex Antique Globes
Shell curl "http://127.0.0.1:4700/v1/tasks?limit=3" \ -H "Authorization: Bearer wm_acme_write"
JavaScript const answer = await fetch( 'http://127.0.0.1:4700/v1/tasks?limit=3', { headers: { authorization:
# the overview saves, exports, resets and opens worlds: /
{snapshot} Snapshot
No snapshots yet. One holds data, clock, limits, journal and deliveries, and costs next to nothing.
(/_mock/state?format=yaml) Export seed (YAML) (/_mock/state?format=json) JSON
Everything since the start is lost: data, clock, faults, journal. {reset} Reset to seed
There is only the default world.
from: *the state as it is the seed
mint_keys=yes Keys of its own {createWorld} Open a world
# a list of projects has counts, owners, heads that sort, and its place: /dashboard/data/projects
(/dashboard/data/projects?workspace=ws_acme) projects 5 (/dashboard/data/tasks?workspace=ws_acme) tasks 69
Visibility filter[visibility]: *any private team public
| (/dashboard/data/projects?sort=created_at) Created ↓ , descending | (/dashboard/data/projects?sort=-updated_at) Updated , sort by it
Website relaunch | [info] team | (/dashboard/data/tasks?workspace=ws_acme&filter%5Bproject_id%5D=proj_website) 13 tasks of Website
Sprig 2 launch | [good] public |
Hiring: firmware and evening support | private |
WZ Wen Zhao | 6 d ago | 5 d ago
1–5 of 5
# another workspace is kept in every link: /dashboard/data/projects?workspace=ws_globex&sort=-updated_at
open=proj_
workspace=ws_globex
# a list of tasks shows states in their tones, people, due dates, and leads on by cursor: /dashboard/data/tasks
Status filter[status]: *any backlog todo in_progress in_review done
Priority filter[priority]: *any low medium high urgent
Project filter[project_id]: *any Hiring: firmware and evening support Incident: the basil flood
(/dashboard/data/tasks?sort=title) Title , sort by it | Status | Priority | Assignee |
Send the press kit Sprig 2 launch | backlog | medium | nobody | in 13 d |
Incident: the basil flood | [warn] in review | [warn] high | TB Tallulah Begay | 27 h ago (overdue) |
Incident: the basil flood | [good] done | [bad] urgent | PR Priya Raman | 4 d ago |
Incident: the basil flood | [info] in progress | [bad] urgent | AO Ada Okafor | in 8 h
Party on the roof Sprig 2 launch | backlog | low | nobody | none |
1–20 of 69 (/dashboard/data/tasks?cursor=
&from=20) Next 20
# a sorted list says by what and which way, and turns round: /dashboard/data/tasks?limit=3&sort=title
(/dashboard/data/tasks?limit=3&sort=-title) Title ↑ , ascending
(/dashboard/data/tasks?limit=3&sort=due_date) Due , sort by it
1–3 of 69
Next 3
# filters are shown as chosen, kept by links, and cleared: /dashboard/data/tasks?filter[status]=todo&filter[priority]=high&sort=-due_date&limit=2&workspace=ws_globex
Status filter[status]: any backlog *todo in_progress in_review done
Priority filter[priority]: any low medium *high urgent
Apply (/dashboard/data/tasks?workspace=ws_globex) Clear
Due ↓ , descending
# a task that is found by its id is open, with what can be changed, its comments and its end: /dashboard/data/tasks?id=task_launch_date
(/dashboard/data/tasks?id=task_launch_date) Fix the launch date Sprig 2 launch | [good] done | [warn] high | AO Ada Okafor |
Title title=Fix the launch date
Status status: backlog todo in_progress in_review *done
Assignee assignee_id: nobody *Ada Okafor Inês Carvalho
Due due_date=2024-11-21T09:00:00.000Z With its time zone; empty: none.
{update} Save (/dashboard/data/tasks) Close 3 comments
Decided. It is in everybody
It is gone for good. Its comments go with it. {delete} Delete this task
# a new task begins with what the service would set: /dashboard/data/tasks?new=1
Status status: *backlog todo in_progress in_review done
Priority priority: low *medium high urgent
Assignee assignee_id: *nobody Ada Okafor
{create} New task (/dashboard/data/tasks) Cancel
# a project that is open can be changed and deleted with its tasks: /dashboard/data/projects?open=proj_launch
name=Sprig 2 launch
visibility: private team *public
It is gone for good. Its tasks and their comments go with it. {delete} Delete this project
# a new project, a new team and a new comment ask for what they need: /dashboard/data/projects?new=1
visibility: *private team public
{create} New project (/dashboard/data/projects) Cancel
# a new team chooses members: /dashboard/data/teams?new=1
member_ids: Ada Okafor
{create} New team (/dashboard/data/teams) Cancel
# a new comment begins with the task that was asked for: /dashboard/data/comments?new=1&task_id=task_launch_hinge
task_id=task_launch_hinge
author_id: 
{create} New comment
# people are listed with role and state: /dashboard/data/users
Members of the workspace, and those who were invited and have not come yet. The API only reads them.
AO Ada Okafor | ada@acme.test | [warn] admin | [good] joined | user_ada | 4 y ago
PR Priya Raman | priya@acme.test | member | [good] joined |
# somebody new is invited with a role: /dashboard/data/users?new=1
Role role=member
{create} Invite somebody (/dashboard/data/users) Cancel
# a team that is open shows its members and its end: /dashboard/data/teams?open=team_launch
(/dashboard/data/teams) Launch crew | 5 | team_launch | 2 mo ago | 2 mo ago
team_launch Members
MR Mateo Ríos IC Inês Carvalho YT Yuki Tanabe PR Priya Raman AO Ada Okafor
It is gone for good. Its members stay in the workspace. {delete} Delete this team (/dashboard/data/teams) Close
# comments are cut, with author and task: /dashboard/data/comments?workspace=ws_globex
The crane costs 340 an hour. The friends cost dinner. I'd rather pay th… | OM Odile Marchetti |
(/dashboard/data/tasks?workspace=ws_globex&id=task_cat_moon) Photograph the Moon globe | 32 h ago
Written ↓ , descending
# comments of one task are filtered by it, and one of them is open whole: /dashboard/data/comments?task_id=task_launch_hinge&open=cmt_hinge_2
task_id=task_launch_hinge
{delete} Delete this comment
(/dashboard/data/comments?workspace=ws_acme) Clear
# where nothing fits, a list says so and leads to all: /dashboard/data/tasks?filter[status]=done&id=task_nowhere
No task fits
Nothing in this workspace has what you ask for. (/dashboard/data/tasks?workspace=ws_acme) Show all tasks .
# a wrong cursor is said: /dashboard/data/tasks?cursor=broken
cursor must be the next_cursor
# an unknown collection is said: /dashboard/data/keys
There is no collection "keys": projects, tasks, users, teams, comments.
# settings show keys with scope, use and end: /dashboard/settings
Acme Gardens: what people do in the settings of the service.
Head office | [warn] admin | AO Ada Okafor | 3 h ago | 30 s ago |
Screen in the hallway | read | TB Tallulah Begay | 3 h ago | now |
Laptop left on the night train | [info] write | MR Mateo Ríos | 3 h ago | never | [bad] revoked
Requests with it get 401 from now on. {revokeKey} Revoke
Scope scope: *read write admin
Role role: admin *member {inviteMember} Invite
SW Sam Whitcombe | sam@acme.test | member | 23 d ago | joined
MR Mateo Ríos | mateo@acme.test | [warn] admin | 3 y ago | joined
# settings show plan and release as they are: /dashboard/settings
Plan plan: free: 60 a minute pro: 300 a minute *business: 1,000 a minute unlimited: 1,000,000 a minute a limit of its own
Limit of its own requests_per_minute=
Window (ms) window_ms= {setPlan} Change plan
Now 1,000 requests a minute. The free plan's 60 are soon used up: a way to meet 429.
Release release: v1.0.0, July 2024 v1.1.0, September 2024 v1.2.0, November 2024
Ahead of its clients forward_compat: *not at all by all kinds of change fields:
*v${RELEASES[LATEST].version}, ${RELEASES[LATEST].date}
v${RELEASES[LATEST].version} brought: ${RELEASES[LATEST].says.join('; ')}
# the journal lists requests newest first, with status, key, warnings and faults: /dashboard/requests
What was asked of /v1 in the world default, why it was answered so, and what changed.
The journal is emptied; nothing else changes. {forget} Forget 15 requests
Status status: *any 2xx 4xx 5xx 200 201 204 400 401 403 404 409 422 429 500 503 closed
12:04:00 | GET (/dashboard/requests/req_15) /v1/teams | [good] 200 | 0 | Screen in the hallway read |
12:03:30 | GET (/dashboard/requests/req_10) /v1/users | [warn] 401 | 0 | no known key |
| [warn] 422 | 0 | Release script write | [warn] unknown-field
| [bad] 503 | 0 | Screen in the hallway read | [bad] fault_1
The newest; the list keeps itself up to date.
# the journal shows filters as chosen, and clears them: /dashboard/requests?status=4xx&path=/tasks*&method=GET&operation=getTask
Status status: any 2xx *4xx 5xx
Method method: any *GET POST
listTasks createTask *getTask
Path path=/tasks* Apply (/dashboard/requests) Clear
# where no request fits the journal says so: /dashboard/requests?operation=deleteTeam
No request fits
None of the 15 requests that the journal keeps is what you ask for. (/dashboard/requests) Show them all .
# older requests lead to newer ones: /dashboard/requests?before=req_4
req_3
(/dashboard/requests) 
# a request that read tells its checks, that nothing changed, and how to send it again: /dashboard/requests/req_1
GET /v1/tasks?limit=3&sort=-due_date
[good] 200 listTasks 2025-01-20 09:00:00 0 ms Screen in the hallway (read), Acme Gardens world default
(/dashboard/requests/req_2) After (/dashboard/requests) All requests
authorization Bearer [hidden]
No body.
limit passed: request 1 of 1000 in this window spec: Limits
Nothing: this request only read, or was refused before it changed anything.
curl curl 'http://127.0.0.1:4700/v1/tasks?limit=3&sort=-due_date' \ -H 'Authorization: Bearer wm_acme_read'
fetch const answer = await fetch("http://127.0.0.1:4700/v1/tasks?limit=3&sort=-due_date", { headers: { authorization:
(/dashboard/faults?operation=listTasks&key=key_1mw1jwz2qwysg566&status=503&times=1#new) Answer this with a fault
with the 14 requests that came after this one. The journal keeps what changed, not the whole state of then.
# a request that created shows the record: /dashboard/requests/req_2
[good] created tasks task_
title
Who was told
# a request that changed shows each field before and after, and who was told: /dashboard/requests/req_3
(/dashboard/requests/req_2) Before (/dashboard/requests/req_4) After (/dashboard/requests) All requests
[info] updated tasks task_ahcqg6xzbctwfyy3
status | was backlog | is in_review
(/dashboard/webhooks/deliveries/dlv_qhvncy4tptkqmj7y) task.updated | [good] delivered | http://127.0.0.1:9999/hooks
(/dashboard/webhooks/deliveries/dlv_dfqmgv1aygapbxhg) task.updated | [bad] failed |
curl curl -X PATCH 'http://127.0.0.1:4700/v1/tasks/task_ahcqg6xzbctwfyy3'
-H 'Content-Type: application/json' \ -d '{"status":"in_review","title":"Water the herbs on every floor"}'
{ method: 'PATCH', headers: { authorization: "Bearer wm_acme_write", 'content-type': "application/json" }, body:
# a request that a fault answered names it: /dashboard/requests/req_4
[bad] fault_1
fault refused: fault_1 ordered 503;
# a request with mistakes lists them, and the check that refused it: /dashboard/requests/req_8
Against the contract
unknown-field colour is no field that createTask takes; it is not read
body refused: 422: The body is wrong: title must not be empty;
spec: Resources and their fields
# the last request has none after it: /dashboard/requests/req_15
(/dashboard/requests/req_14) Before (/dashboard/requests) All requests
A copy of this world as it stands now
# registrations tell their events, their deliveries by state, what can be ordered, and their end: /dashboard/webhooks
(/dashboard/webhooks?new=1) Register a receiver
(/dashboard/webhooks) Registrations 2 (/dashboard/webhooks/deliveries) Deliveries 6 (/dashboard/webhooks/inbox) Inbox 1
Registration wh_hooks in Acme Gardens, 3 h ago
Events [info] all events
Events task.created task.updated
(/dashboard/webhooks/deliveries?webhook_id=wh_board&state=failed) [bad] failed 1
id=wh_hooks do=simulate 500 429 302 timeout refused 200
Nobody is told there any more; what was still to be retried fails. {delete} Delete it
# a new registration suggests the inbox: /dashboard/webhooks?new=1
URL url=http://127.0.0.1:4700/_mock/inbox/mine
None chosen: all of them.
Workspace workspace: *Acme Gardens Globex Antique Globes
{register} Register (/dashboard/webhooks) Cancel
# one registration leads back to all: /dashboard/webhooks?id=wh_board
Registration wh_board
(/dashboard/webhooks) 
# the log tells each delivery with its attempts and the next one: /dashboard/webhooks/deliveries
Registration webhook_id: *any wh_hooks · http://127.0.0.1:9999/hooks wh_board · https://board.acme.test/hooks/tasks
State state: *any pending retrying delivered failed Apply
task.created Send the press kit | [warn] retrying | [bad] 503 [bad] refused | in 2:00 | http://127.0.0.1:9999/hooks
| [bad] failed | [bad] 500 [bad] 500 [bad] dns [bad] 500 [bad] 502 [bad] 500 | — | https://board.acme.test/hooks/tasks
| [good] delivered | [bad] 500 [bad] timeout [good] 200 | — |
The newest.
# the log shows filters as chosen, and clears them: /dashboard/webhooks/deliveries?state=retrying&event=task.created&webhook_id=wh_hooks
State state: any pending *retrying delivered failed Apply (/dashboard/webhooks/deliveries) Clear
Event event: any *task.created
any *wh_hooks · 
# where no delivery fits the log says so: /dashboard/webhooks/deliveries?state=pending
No delivery fits
Nothing in the log is what you ask for. (/dashboard/webhooks/deliveries) Show them all .
# a delivery tells its attempts, what was sent and answered, and how it is signed: /dashboard/webhooks/deliveries/dlv_83wn4z8c7y5bfa6g
{replay} Replay (/dashboard/webhooks/deliveries) All deliveries
1. first attempt [bad] 500 [info] as ordered, nothing sent 0 ms 2025-01-20 09:00:00
2. retry [bad] timeout [info] as ordered, nothing sent no answer in 10 s 2025-01-20 09:00:30
X-Service-Timestamp 1737363600
[good] 200 Ordered here: nothing was sent.
Announced 2025-01-20 09:00:00 UTC
Registration (/dashboard/webhooks?id=wh_hooks) wh_hooks
Hex HMAC-SHA256, with the secret, of the timestamp, a dot and the body as it came.
[good] verified
To check it yourself printf "%s" "$SIGNED" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET"
# a delivery that failed is given up, and warns of timestamps that a receiver refuses: /dashboard/webhooks/deliveries/dlv_dfqmgv1aygapbxhg
[bad] failed
12 min 30 s ago: a receiver that tolerates 5 minutes refuses it
given up the last retry failed; only a replay tries once more
# a delivery that is retried tells when, and what follows: /dashboard/webhooks/deliveries/dlv_rm8qm094we55mb6y
It can be replayed once it is settled. (/dashboard/webhooks/deliveries) All deliveries
retry 2 of 5 in 2:00 ; if it fails, again after 10 min, then 30 min, then 2 h 2025-01-20 12:06:00
[bad] refused No answer: refused. Ordered here: nothing was sent.
# the inbox lists boxes: /dashboard/webhooks/inbox
(/dashboard/webhooks/inbox?name=orders) orders | http://127.0.0.1:4700/_mock/inbox/orders | 2 | now | [bad] 503
# a box shows its messages newest first, and what it answers next: /dashboard/webhooks/inbox?name=orders
Ordered: [info] 503
Next statuses statuses=503 {respond} Order
msg_2 POST now answered [good] 200
msg_1 POST now answered [bad] 500
not JSON at all
# an empty box says how to fill it: /dashboard/webhooks/inbox?name=%20mine%20
(/dashboard/webhooks?new=1) Register this address as a receiver, or send something there yourself:
curl -X POST "http://127.0.0.1:4700/_mock/inbox/mine" -d 'hello'
# the clock shows its time, limits by workspace and what is due: /dashboard/clock
2025-01-20 12:04:00 UTC [info] frozen
Set it to (UTC) now=2025-01-20T12:04:00
Then mode: *stand still run {set} Set the time
Acme Gardens | business | | 9 | 991 of 1,000 | in 1:00
Globex Antique Globes | pro | | 1 | 299 of 300 | in 0:30
1 ahead
2:00 | 2025-01-20 12:06:00 | Retry 2 of 5 | (/dashboard/webhooks/deliveries/dlv_rm8qm094we55mb6y) task.created |
# faults have presets, a list with what they struck, and a form: /dashboard/faults
Flaky Three requests in ten are answered 503. Slow Every answer takes one to three seconds. Offline
fault_1 | listProjects | answered 503 | once used up | 1 of 3 | |
fault_2 | GET /teams* | late by 200–900 ms | after 20 | 0 of 1 | |
Answers that are held are let go. {removeAll} Remove every fault
Key match.key: *any Head office (admin) Release script (write)
Status effect.status: *as it is 400 401 403 404 409 413 422 429 500 502 503 504
Connection effect.end: *as it is closed in place of an answer held until you release it
# a fault begins with what its link says: /dashboard/faults?operation=createTask&status=503&times=1&method=POST&path=%2Ftasks&key=key_x
Method match.method: any GET *POST
Path match.path=/tasks
match.key: *key_x any
502 *503 504
At most times=1
# open points are found by their words: /dashboard/choices?find=%20Cursor-limit
1 open point
(/dashboard/choices?find=Cursor-limit) All ${Object.keys(CHOICES).length}
# open points tell what touched them: /dashboard/choices
How is a delivery signed? [info] touched by 6 deliveries
(/dashboard/requests/req_8) touched by
# where no open point fits, the page says so: /dashboard/choices?show=changed&find=nothing-of-that
No open point fits
`;

const BARE = `
# the overview counts nothing: /
The default world with Main.
(/dashboard/data/projects) 0 projects
# lists of nothing say how to begin: /dashboard/data/projects
There are no projects yet
Create one above, or send it from your app:
curl -X POST "http://127.0.0.1:4700/v1/projects"
# comments begin with the control API: /dashboard/data/comments
Write one above, or with the control API:
/_mock/tasks/<task_id>/comments
# a filter without choices is a text: /dashboard/data/tasks
Project filter[project_id]=
# people are there from the start: /dashboard/data/users
AL Ada Lovelace | ada@example.test | [warn] admin | [good] joined |
1–2 of 2
# a plan without limit is chosen: /dashboard/settings
*unlimited: 1,000,000 a minute
read | read | GH Grace Hopper | 6 mo ago | never |
# the journal invites a first request with a key that reads: /dashboard/requests
Nobody has asked anything yet
Each request to /v1 appears here as it comes. The journal keeps the last thousand. Try one:
curl "http://127.0.0.1:4700/v1/tasks?limit=3" -H "Authorization: Bearer wm_read"
# a request that is not there is said: /dashboard/requests/req_1
The journal has no request "req_1". It keeps the last thousand
# registrations begin with the inbox: /dashboard/webhooks
Nobody is told of anything yet
curl -X POST "http://127.0.0.1:4700/v1/webhooks" -H "Authorization: Bearer <admin key>"
# the log says when there will be events: /dashboard/webhooks/deliveries
Nothing was announced yet
(/dashboard/webhooks) somebody is registered for them.
# a delivery that is not there is said: /dashboard/webhooks/deliveries/dlv_x
The log has no delivery "dlv_x". It keeps the last 5,000.
# the inbox explains itself: /dashboard/webhooks/inbox
Nothing was received yet
Register http://127.0.0.1:4700/_mock/inbox/mine as a receiver
# a clock with nothing due says what would be: /dashboard/clock
Main | unlimited | | 0 | 1,000,000 of 1,000,000 | nothing used
Nothing is due
curl -X POST "http://127.0.0.1:4700/_mock/clock/advance" -H "content-type: application/json" -d '{"to":"next"}'
# without faults everything works: /dashboard/faults
Everything works
-d '{"match":{"path":"/tasks*"},"effect":{"status":503},"times":1}'
# without traffic no open point is touched: /dashboard/choices?show=touched
Nothing touched yet
`;

const CHANGED = `
# snapshots and worlds are listed, this one marked: /worlds/other/
World other with Acme Gardens and Globex Antique Globes.
id=snap_1 {restore} Restore {forget} Forget
(/worlds/other/) other [info] this one http://127.0.0.1:4700/worlds/other/v1
id=other It is gone with all it holds. {deleteWorld} Delete other
Copied from from: *the state as it is the seed snap_1 snap_2
# the default world lists the others: /
(/worlds/other/) other http://127.0.0.1:4700/worlds/other/v1
# somebody who is invited can be let join, an own limit and another release are shown: /worlds/other/dashboard/settings?workspace=ws_globex
GO 123 ghost of the attic with… | ghost@globex.test | poltergeist in charge | 25 h ago |
id=user_6607kcg3wxdmrh01 [warn] invited {joinMember} Accept
unlimited: 1,000,000 a minute *a limit of its own
Limit of its own requests_per_minute=5
Window (ms) window_ms= {setPlan} Change plan
*v1.2.0, November 2024
*fields,order {setRelease} Change release
v1.2.0 brought: teams endpoints (list, create, get, delete);
# somebody who is invited can be let join from the data page too: /worlds/other/dashboard/data/users?open=user_6607kcg3wxdmrh01&workspace=ws_globex
[warn] invited
{join} 
# a team of nobody says so: /worlds/other/dashboard/data/teams?open=team_4pddgk9sarqa467v&limit=1
Nobody yet | 0 |
Members Nobody yet. Members are given when a team is created
# a connection that was closed is shown as such: /worlds/other/dashboard/requests/req_1
[bad] closed listTasks 2025-01-20 09:00:00 0 ms Head office (admin), Acme Gardens world other [bad] fault_1
The connection was closed in place of an answer.
fault refused: fault_1 closed the connection; the request was not performed the mock
# a request that deleted shows what is gone: /worlds/other/dashboard/requests/req_2
[bad] deleted projects proj_app
Who was told
project.deleted | [good] delivered |
# a request of nobody has no key to send again, and its fault is for its path: /worlds/other/dashboard/requests/req_3
[warn] 401 no operation 2025-01-20 09:00:00 0 ms no known key world other
fetch const answer = await fetch("http://127.0.0.1:4700/worlds/other/v1/nowhere");
(/worlds/other/dashboard/faults?method=GET&path=%2Fnowhere&status=503&times=1#new) Answer this with a fault
# a body that is no JSON is shown as it came: /worlds/other/dashboard/requests/req_4
{"name":
body refused: 400:
# a secret is hidden: /worlds/other/dashboard/requests/req_5
"secret": "[hidden]"
[good] created webhooks wh_
# outcomes on order are shown as far as there is room: /worlds/other/dashboard/webhooks
Ordered: [info] 500 [info] 501 [info] 502
[info] 511 and 2 more
Deliveries No deliveries yet.
# the log names what an event was about: /worlds/other/dashboard/webhooks/deliveries
project.deleted Sprig app 3.0 | [good] delivered | [good] 204 | — |
project.created Told |
# a box that only has orders was sent nothing: /worlds/other/dashboard/webhooks/inbox
a box | http://127.0.0.1:4700/worlds/other/_mock/inbox/a%20box | 0 | never | [bad] 503
# a limit of its own stands among the limits: /worlds/other/dashboard/clock
Globex Antique Globes | own limit | | 0 | 5 of 5 | nothing used
# faults tell whom they strike, how often, and whether they hold: /worlds/other/dashboard/faults
fault_1 | every request | connection closed | once used up | 1 of 11 | |
fault_2 | listTeams | held until released | after 2, 12.5 % | 0 of 0 | 0 |
id=fault_2 {release} Release {remove} Remove
fault_3 | /held | late by 5 ms, held until released | always | 0 of 0 | released |
# open points that are answered otherwise lead back to the defaults: /worlds/other/dashboard/choices?show=changed
1 of them are answered otherwise now. {defaults} Back to the defaults
How is a delivery signed? [warn] not the default [info] touched by 3 deliveries
Touched 25
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
  ['Where nothing is yet', bare, BARE],
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
