// The forms of the data page: what they change, where they lead, what they say, and how they refuse.
import { expect, test } from 'vitest';
import { type Step, transcriptsOf } from '../../test/forms.ts';

const DATA = '/dashboard/data';

const FORMS: Readonly<Record<string, readonly Step[]>> = {
  projects: [
    [
      `${DATA}/projects?new=1&sort=created_at&from=3`,
      { do: 'create', name: 'Garden fair', visibility: 'team', description: 'One\r\nTwo' },
    ],
    [`${DATA}/projects?new=1`, { do: 'create', name: '', visibility: 'secret', description: 'x'.repeat(1001) }],
    [
      `${DATA}/projects?open=proj_launch`,
      { do: 'update', id: 'proj_launch', name: 'Sprig 3', visibility: 'private', description: '' },
      '/v1/projects/proj_launch',
    ],
    [`${DATA}/projects?open=proj_launch`, { do: 'update', id: 'proj_launch', name: '', visibility: 'private', description: '' }],
    [`${DATA}/projects?open=proj_launch`, { do: 'update', id: 'proj_gone', name: '' }],
    [`${DATA}/projects?open=proj_launch&sort=created_at`, { do: 'delete', id: 'proj_launch' }, '/v1/projects/proj_launch'],
    [`${DATA}/projects`, { do: 'delete', id: 'proj_launch' }],
    [`${DATA}/projects`, { do: 'delete' }],
    [`${DATA}/keys`, { do: 'create' }],
  ],
  tasks: [
    [
      `${DATA}/tasks?new=1&cursor=abc&open=x`,
      {
        do: 'create',
        project_id: 'proj_app',
        title: 'New',
        status: 'todo',
        priority: 'low',
        assignee_id: 'user_ada',
        due_date: '2025-02-01T17:00:00Z',
        description: '',
      },
    ],
    [`${DATA}/tasks?new=1`, { do: 'create', project_id: 'proj_nowhere', title: 'New' }],
    [`${DATA}/tasks?new=1`, { do: 'create', title: 'New' }],
    [
      `${DATA}/tasks?new=1`,
      {
        do: 'create',
        project_id: 'proj_app',
        title: '',
        status: 'gone',
        priority: 'low',
        assignee_id: 'user_odile',
        due_date: 'soon',
      },
    ],
    [
      `${DATA}/tasks?open=task_launch_hinge&limit=50`,
      {
        do: 'update',
        id: 'task_launch_hinge',
        title: 'Dry at last',
        status: 'done',
        priority: 'low',
        assignee_id: '',
        due_date: '',
        description: '',
      },
      '/v1/tasks/task_launch_hinge',
    ],
    [
      `${DATA}/tasks?open=task_launch_hinge&limit=50`,
      {
        do: 'update',
        id: 'task_launch_hinge',
        title: '',
        status: '',
        priority: 'low',
        assignee_id: 'user_gone',
        due_date: '1',
        description: '',
      },
    ],
    [`${DATA}/tasks?id=task_launch_hinge&sort=title`, { do: 'delete', id: 'task_launch_hinge' }],
    [`${DATA}/tasks?id=task_launch_hinge`, { do: 'delete', id: 'task_launch_hinge' }],
    [`${DATA}/tasks?workspace=ws_globex`, { do: 'delete', id: 'task_launch_date' }],
  ],
  people: [
    [`${DATA}/users?new=1`, { do: 'create', name: 'Ben Ali', email: 'ben@acme.test', role: 'member' }],
    [`${DATA}/users?new=1`, { do: 'create', name: '', email: 'ben', role: '' }],
    [`${DATA}/users`, { do: 'update', id: 'user_ada', name: 'No' }],
    [`${DATA}/users`, { do: 'delete', id: 'user_ada' }],
    [`${DATA}/users`, { do: 'join', id: 'user_ada' }],
    [`${DATA}/users`, { do: 'join' }],
    [`${DATA}/users?open=user_ada`, { do: 'join', id: 'user_6607kcg3wxdmrh01' }],
    [
      `${DATA}/teams?new=1`,
      { do: 'create', name: 'Night shift', member_ids: ['user_ada', '', 'user_sam'] },
      '/v1/teams?limit=100',
    ],
    [`${DATA}/teams?new=1`, { do: 'create', name: 'Nobody' }],
    [`${DATA}/teams?new=1`, { do: 'create', name: 'Hardware', member_ids: 'user_odile' }],
    [`${DATA}/teams?open=team_care`, { do: 'delete', id: 'team_care' }],
    [`${DATA}/teams?open=team_care`, { do: 'update', id: 'team_care' }],
    [
      `${DATA}/comments?new=1&task_id=task_launch_date`,
      { do: 'create', task_id: 'task_launch_date', author_id: 'user_ada', body: 'Said\r\nso' },
      '/v1/tasks/task_launch_date/comments?limit=1',
    ],
    [`${DATA}/comments?new=1`, { do: 'create', task_id: 'task_nowhere', author_id: 'user_ada', body: 'Said' }],
    [`${DATA}/comments?new=1`, { do: 'create', author_id: 'user_ada', body: 'Said' }],
    [`${DATA}/comments?new=1`, { do: 'create', task_id: 'task_launch_date', author_id: 'user_odile', body: '' }],
    [`${DATA}/comments`, { do: 'delete', id: 'cmt_date_1' }],
    [`${DATA}/comments`, { do: 'update', id: 'cmt_date_2' }],
    [`${DATA}/comments`, { do: 'delete', id: 'cmt_date_1' }],
  ],
};

test('Each form of the data page leads on with a note, or says at its fields why it is refused', async () => {
  const forms = Object.entries(FORMS).map(([name, steps]) => [name, { steps }] as const);
  await expect(await transcriptsOf(Object.fromEntries(forms))).toMatchFileSnapshot('golden/forms.txt');
});
