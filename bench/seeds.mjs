// The seeds of the benchmark: generated worlds of several sizes, their tasks as plain JSON for the peers, and a world written out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const KEY = 'wm_bench_key';
export const AUTHORIZED = { authorization: `Bearer ${KEY}` };
export const STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];

/** Projects and tasks in each. */
export const SIZES = { '1k': [10, 100], '10k': [20, 500], '100k': [100, 1000], '1M': [1000, 1000] };

export const tasksIn = (size) => SIZES[size][0] * SIZES[size][1];

const workspace = {
  id: 'ws_bench',
  name: 'Bench',
  plan: 'unlimited',
  users: [{ id: 'user_bench', name: 'Bench', email: 'bench@example.test', role: 'admin' }],
  api_keys: [{ value: KEY, name: 'Bench', scope: 'admin', user_id: 'user_bench' }],
};

const write = (folder, name, value) => {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(value));
  return file;
};

export const generatedSeed = (folder, size) => {
  const [projects, tasks_per_project] = SIZES[size];
  const generate = { users: 50, teams: 3, comments_per_task: 0, projects, tasks_per_project };
  return write(folder, `generated-${size}`, { random_seed: 1, workspaces: [{ ...workspace, generate }] });
};

/** A thousand tasks written out: what a start reads when nothing has to be made up. */
export const writtenSeed = (folder) => {
  const task = (p, t) => ({
    id: `task_${p}x${t}`,
    title: `Task ${t} of project ${p}`,
    description: 'Look at what the customer wrote, find the cause, write a test that shows it, and tell them what was wrong.',
    status: STATUSES[(p + t) % 5],
    ...(t % 10 < 7 && { due_date: `+${1 + (t % 60)}d`, assignee_id: 'user_bench' }),
  });
  const range = (length, of) => Array.from({ length }, (_, i) => of(i));
  const projects = range(10, (p) => ({ id: `proj_${p}`, name: `Project ${p}`, tasks: range(100, (t) => task(p, t)) }));
  return write(folder, 'written', { random_seed: 1, workspaces: [{ ...workspace, projects }] });
};

/** The tasks of a generated world as `{"tasks": […]}`, for servers that know nothing of seeds. */
export const plainTasks = async (folder, size) => {
  const { createMock } = await import('../dist/node/index.js');
  const mock = await createMock({ seed: generatedSeed(folder, size) });
  const tasks = mock.world.store.tasks.all().map(({ value }) => value);
  await mock.close();
  return { tasks, file: write(folder, `tasks-${size}`, { tasks }) };
};
