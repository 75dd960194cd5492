// Scopes: read retrieves and nothing else, write does the rest, admin does all that write does.
import type { Check } from '../engine/check.ts';
import { idOf, metaOf, resource, succeeded } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';
import type { World } from '../engine/world.ts';

const retrieves = (id: string, requirement: string, paths: (w: World, t: Tools) => Promise<string[]>): Check => ({
  id: `scopes/read-retrieves-${id}`,
  says: `A read key retrieves ${id}`,
  covers: [requirement],
  needs: ['read', 'write'],
  profile: 'full',
  run: async (t: Tools) => {
    for (const path of await paths(await t.world(), t)) {
      const x = await t.get(path, { as: 'read' });
      t.must(requirement, succeeded(x), `GET with a read key is answered ${x.status}`, x);
    }
  },
});

const main = (w: World) => `/projects/${encodeURIComponent(w.mainId)}`;
const firstTask = (w: World) => `/tasks/${encodeURIComponent(String(w.tasks[0]!.got.id))}`;

/** Creates, updates and deletes in one role. */
const cycle = (role: 'admin', projects: string, tasks: string): Check => ({
  id: `scopes/${role}-does-everything`,
  says: `A ${role} key creates, updates and deletes projects and tasks`,
  covers: [projects, tasks],
  needs: [role],
  profile: 'full',
  run: async (t: Tools) => {
    if (!t.has(role)) t.skip(`NO_KEY(${role})`);
    const as = role;
    const allowed = (requirement: string, x: { status: number }) =>
      t.must(requirement, x.status !== 403 && x.status !== 401, `a ${role} key is answered ${x.status}`, x as never);
    const project = await t.post('/projects', { name: t.name(`by-${role}`) }, { as });
    const id = idOf(resource(project));
    allowed(projects, project);
    if (!succeeded(project) || id === undefined) t.need(false, projects);
    const at = `/projects/${encodeURIComponent(id)}`;
    const task = await t.post(`${at}/tasks`, { title: 'wm scope' }, { as });
    allowed(tasks, task);
    if (succeeded(task)) {
      const on = `/tasks/${encodeURIComponent(String(resource(task).id))}`;
      allowed(tasks, await t.patch(on, { title: 'wm scope 2' }, { as }));
      allowed(tasks, await t.delete(on, { as }));
    }
    allowed(projects, await t.patch(at, { description: 'by scope' }, { as }));
    allowed(projects, await t.delete(at, { as }));
  },
});

export const scopeChecks: readonly Check[] = [
  retrieves('projects', 'WM-SCOPE-001', async (w) => ['/projects?limit=1', main(w)]),
  retrieves('tasks', 'WM-SCOPE-002', async (w, t) => [
    '/tasks?limit=1',
    `${main(w)}/tasks?limit=1`,
    firstTask(w),
    ...(t.knows('1.3') ? [`${firstTask(w)}/comments`] : []),
  ]),
  retrieves('members', 'WM-SCOPE-003', async () => ['/workspace/members?limit=1']),
  retrieves('teams', 'WM-SCOPE-004', async (_w, t) => {
    const id = await t.sharedTeam();
    return ['/teams?limit=1', `/teams/${encodeURIComponent(id)}`];
  }),
  {
    id: 'scopes/read-may-not-write',
    says: 'A read key is refused with 403 on every write, without effect',
    covers: [...['005', '006', '007', '008', '009', '010', '011', '012', '014', '015'].map((n) => `WM-SCOPE-${n}`)],
    needs: ['read', 'write'],
    profile: 'full',
    run: async (t: Tools) => {
      const project = await t.project('read-scope');
      const task = await t.task(project, { title: 'wm scope' });
      const team = t.knows('1.2') ? await t.team({ name: t.name('scope') }) : undefined;
      const as = 'read' as const;
      const name = t.name('by-read');
      let clean = true;
      const denied = async (requirement: string, method: string, path: string, body?: unknown) => {
        const x = await t.send(method, path, { as, body });
        clean = t.must(requirement, x.status === 403, `${method} ${path} with a read key is answered ${x.status}`, x) && clean;
      };
      await denied('WM-SCOPE-005', 'POST', '/projects', { name });
      await denied('WM-SCOPE-006', 'PATCH', `/projects/${project}`, { description: 'by read' });
      await denied('WM-SCOPE-008', 'POST', `/projects/${project}/tasks`, { title: 'wm by read' });
      await denied('WM-SCOPE-009', 'PATCH', `/tasks/${task}`, { title: 'wm by read' });
      await denied('WM-SCOPE-010', 'DELETE', `/tasks/${task}`);
      await denied('WM-SCOPE-007', 'DELETE', `/projects/${project}`);
      if (team) {
        await denied('WM-SCOPE-011', 'POST', '/teams', { name });
        await denied('WM-SCOPE-012', 'DELETE', `/teams/${encodeURIComponent(team.id)}`);
      }
      if (!clean) return;
      const read = await t.get(`/projects/${project}`);
      const still = await t.get(`/tasks/${task}`);
      const list = await t.get(`/projects/${project}/tasks`);
      const unchanged =
        succeeded(read) && resource(read).description !== 'by read' && succeeded(still) && resource(still).title === 'wm scope';
      t.must(
        'WM-SCOPE-015',
        unchanged && Number(metaOf(list).total ?? 1) === 1,
        'a request refused with 403 had an effect',
        read,
        still,
        list,
      );
    },
  },
  cycle('admin', 'WM-SCOPE-018', 'WM-SCOPE-019'),
  {
    id: 'scopes/teams',
    says: 'An admin key creates and deletes teams; whether write suffices is observed',
    covers: ['WM-SCOPE-020', 'WM-SCOPE-021'],
    needs: ['admin', 'write'],
    profile: 'full',
    run: async (t: Tools) => {
      const x = await t.post('/teams', { name: t.name('by-admin') }, { as: 'admin' });
      t.must('WM-SCOPE-020', x.status !== 403 && x.status !== 401, `POST /teams with an admin key is answered ${x.status}`, x);
      const id = idOf(resource(x));
      if (succeeded(x) && id) {
        const gone = await t.delete(`/teams/${encodeURIComponent(id)}`, { as: 'admin' });
        t.must(
          'WM-SCOPE-020',
          gone.status !== 403 && gone.status !== 401,
          `DELETE with an admin key is answered ${gone.status}`,
          gone,
        );
      }
      if (!t.has('write')) t.skip('NO_KEY(write)');
      const y = await t.post('/teams', { name: t.name('by-write') }, { as: 'write' });
      t.note('WM-SCOPE-021', succeeded(y) ? 'write' : `refused with ${y.status}`, y);
      t.observe('team-scope', succeeded(y) ? 'write' : y.status === 403 ? 'admin' : undefined);
    },
  },
];
