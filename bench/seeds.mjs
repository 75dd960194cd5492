// The seed files of the benchmark: generated worlds of four sizes, the same tasks as plain JSON, and a world with every task written out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const KEY = 'wm_bench_key';

export const SIZES = {
  '1k': { projects: 10, tasks_per_project: 100 },
  '10k': { projects: 20, tasks_per_project: 500 },
  '100k': { projects: 100, tasks_per_project: 1000 },
  '1M': { projects: 1000, tasks_per_project: 1000 },
};

export const tasksIn = (size) => SIZES[size].projects * SIZES[size].tasks_per_project;

const workspace = {
  id: 'ws_bench',
  name: 'Bench',
  plan: 'unlimited',
  users: [{ id: 'user_bench', name: 'Bench', email: 'bench@example.test', role: 'admin' }],
  api_keys: [{ value: KEY, name: 'Bench', scope: 'admin', user_id: 'user_bench' }],
};

export function writeGeneratedSeed(folder, size) {
  const generate = { users: 50, teams: 3, comments_per_task: 0, ...SIZES[size] };
  return write(folder, `generated-${size}.json`, { random_seed: 1, workspaces: [{ ...workspace, generate }] });
}

/** The tasks of a generated world as `{"tasks": […]}`, for servers that know nothing of seeds. */
export async function plainTasks(folder, size) {
  const { createMock } = await import(new URL('../dist/node/index.js', import.meta.url).href);
  const mock = await createMock({ seed: writeGeneratedSeed(folder, size) });
  const tasks = mock.world.store.tasks.all().map(({ value }) => value);
  await mock.close();
  return write(folder, `tasks-${size}.json`, { tasks });
}

export function writeExplicitSeed(folder, size) {
  const { projects, tasks_per_project } = SIZES[size];
  const statuses = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];
  const priorities = ['low', 'medium', 'high', 'urgent'];
  const listed = Array.from({ length: projects }, (_, p) => ({
    id: `proj_bench${p}`,
    name: `Project ${p}`,
    tasks: Array.from({ length: tasks_per_project }, (_, t) => ({
      id: `task_bench${p}x${t}`,
      title: `Task ${t} of project ${p}`,
      description: 'Look at what the customer wrote, find the cause, write a test that shows it, and tell them what was wrong.',
      status: statuses[(p + t) % statuses.length],
      priority: priorities[t % priorities.length],
      ...(t % 10 < 7 && { due_date: `+${1 + (t % 60)}d` }),
      ...(t % 20 < 17 && { assignee_id: 'user_bench' }),
    })),
  }));
  return write(folder, `explicit-${size}.json`, { random_seed: 1, workspaces: [{ ...workspace, projects: listed }] });
}

function write(folder, name, seed) {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(seed));
  return file;
}
