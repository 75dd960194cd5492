// The data page in each of its states, line by line.
import { describe, test } from 'vitest';
import { golden } from '../../test/golden.ts';
import { bare, busy, CARD, changed, DATA, pagesOf, TABLE } from '../../test/states.ts';
import { data } from './page.tsx';

describe('After a morning of traffic', () => {
  pagesOf(
    {
      'data-projects': `${DATA}/projects`,
      'data-projects-of-globex': `${DATA}/projects?workspace=ws_globex&sort=-updated_at`,
      'data-project-open': [`${DATA}/projects?open=proj_launch&limit=2&sort=created_at`, CARD('rows')],
      'data-project-new': [`${DATA}/projects?new=1&limit=1`, CARD('new')],
      'data-tasks': [`${DATA}/tasks?limit=12`, TABLE],
      'data-tasks-by-title': [`${DATA}/tasks?limit=3&sort=title`, CARD('rows')],
      'data-tasks-filtered': `${DATA}/tasks?filter[status]=todo&filter[priority]=high&sort=-due_date&limit=2&workspace=ws_globex`,
      'data-tasks-due': [`${DATA}/tasks?sort=due_date&limit=4`, TABLE],
      'data-task-found': [`${DATA}/tasks?id=%20task_launch_date&workspace=ws_acme`, CARD('rows')],
      'data-task-open': [`${DATA}/tasks?open=task_launch_hinge&limit=50`, /tr class="open"/],
      'data-task-new': [`${DATA}/tasks?new=1&limit=1`, CARD('new')],
      'data-tasks-none': [`${DATA}/tasks?filter[status]=done&id=task_nowhere`, CARD('rows')],
      'data-task-found-new': [`${DATA}/tasks?id=task_launch_date&new=1`, /div class="page-head"/],
      'data-tasks-filtered-by-id': [
        `${DATA}/tasks?id=task_launch_date&sort=title&limit=3&task_id=x`,
        /form action="\/dashboard\/data\/tasks" aria-label="Filter/,
      ],
      'data-tasks-none-filtered': [`${DATA}/tasks?filter[assignee_id]=user_nobody`, CARD('rows')],
      'data-tasks-wrong-cursor': [`${DATA}/tasks?cursor=broken`, CARD('rows')],
      'data-users': `${DATA}/users?limit=4`,
      'data-user-open': [`${DATA}/users?open=user_ada&limit=50`, /tr class="open/],
      'data-user-new': [`${DATA}/users?new=1&limit=1`, CARD('new')],
      'data-teams': `${DATA}/teams?open=team_launch`,
      'data-team-new': [`${DATA}/teams?new=1&limit=1`, CARD('new')],
      'data-comments': `${DATA}/comments?workspace=ws_globex&limit=2`,
      'data-comments-of-a-task': `${DATA}/comments?task_id=task_launch_hinge&open=cmt_hinge_2`,
      'data-comment-new': [`${DATA}/comments?new=1&task_id=task_launch_hinge`, CARD('new')],
      'data-comments-none': [`${DATA}/comments?task_id=task_app_nothing`, CARD('rows')],
      'data-nothing': `${DATA}/keys`,
    },
    busy,
  );
});

describe('Where nothing is yet', () => {
  pagesOf(
    {
      ...Object.fromEntries(
        ['projects', 'tasks', 'teams', 'comments'].map((name) => [`bare-${name}`, [`${DATA}/${name}`, CARD('rows')] as const]),
      ),
      'bare-users': `${DATA}/users`,
    },
    bare,
  );
});

describe('In a world of its own, where much was changed', () => {
  const AT = '/worlds/other';
  pagesOf(
    {
      'changed-user-open': [`${AT}${DATA}/users?open=user_6607kcg3wxdmrh01&workspace=ws_globex`, CARD('rows')],
      'changed-team-open': [`${AT}${DATA}/teams?open=team_4pddgk9sarqa467v&limit=1`, CARD('rows')],
    },
    changed,
  );
});

test('Its row in the table of pages', () => {
  const { render: _, actions, ...row } = data;
  golden('dashboard/data', JSON.stringify({ ...row, actions: Object.keys(actions!) }, null, 1));
});
