// The state of a world as a seed: what is planted from it answers the same.
import type { Seed } from '../world/records.ts';
import type { RecordName, Records, World } from '../world/world.ts';

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
  };
};
