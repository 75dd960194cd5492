// The state of a world as a seed: what is planted from it answers the same.
import { saveTerms } from '../../service/contract/terms.ts';
import type { Row } from '../../service/world/collection.ts';
import { ofEach, type Progress, type RecordName, type Runs, type Seed, type WorkspaceSeed } from '../../service/world/records.ts';
import type { World } from '../../service/world/world.ts';

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
    order: ofEach((name) => runsOf(turns(name))),
  };
};

export const seedOf = (world: World): Seed => {
  const rows = ofEach((name): readonly Row<unknown>[] => world.store[name].all());
  const recordsOf = (workspace: string) =>
    ofEach((name) => rows[name].flatMap((row) => (row.workspace === workspace ? [row.value] : [])));
  return {
    now: world.clock.mode === 'frozen' ? world.clock.now() : null,
    randomSeed: world.random.seed,
    ...saveTerms(world.terms),
    choices: world.choices,
    workspaces: [...world.workspaces.values()].map(
      (workspace) => ({ ...workspace, ...recordsOf(workspace.id) }) as WorkspaceSeed,
    ),
    progress: progressOf(world),
  };
};
