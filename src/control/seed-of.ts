// The state of a world as a seed: what is planted from it answers the same.
import type { Progress, Runs, Seed } from '../world/records.ts';
import { NAMES, type RecordName, type Records, type World } from '../world/world.ts';

const runsOf = (turns: readonly number[]): Runs => {
  const runs: { from: number; count: number }[] = [];
  for (const turn of turns) {
    const last = runs.at(-1);
    if (last && last.from + last.count === turn) last.count += 1;
    else runs.push({ from: turn, count: 1 });
  }
  return runs;
};

const progressOf = (world: World): Progress => {
  const workspaces = [...world.workspaces.keys()];
  const turns = (name: RecordName) => {
    const rows = world.store[name].all();
    return workspaces.flatMap((id) => rows.filter(({ workspace }) => workspace === id).map(({ sequence }) => sequence));
  };
  return {
    sequence: world.sequence,
    drawn: [...world.random.drawn].map(([stream, count]) => ({ stream, count })),
    order: Object.fromEntries(NAMES.map((name) => [name, runsOf(turns(name))])),
  };
};

/** Complete data of a world as it stands. */
export const seedOf = (world: World): Seed => {
  const records = <N extends RecordName>(name: N) => {
    const rows = world.store[name].all();
    return (workspace: string) =>
      rows.filter((row) => row.workspace === workspace).map(({ value }) => value) as unknown as readonly Records[N][];
  };
  const [users, keys, projects] = [records('users'), records('keys'), records('projects')];
  const [tasks, comments] = [records('tasks'), records('comments')];
  const [teams, webhooks] = [records('teams'), records('webhooks')];
  return {
    now: world.clock.mode === 'frozen' ? world.clock.now() : null,
    randomSeed: world.random.seed,
    choices: world.choices,
    release: world.release,
    forward: world.forward,
    workspaces: [...world.workspaces.values()].map(({ id, name, plan }) => ({
      id,
      name,
      plan,
      users: users(id),
      keys: keys(id),
      projects: projects(id),
      tasks: tasks(id),
      comments: comments(id),
      teams: teams(id),
      webhooks: webhooks(id),
    })),
    progress: progressOf(world),
  };
};
