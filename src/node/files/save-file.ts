// `--save`: writes the data of the first world into a seed file as they change.
import { seedOf } from '../../mock/control/snapshot.ts';
import { seedText } from '../../mock/seed/write.ts';
import type { World } from '../../service/world/world.ts';
import type { NodeMock } from '../create-mock.ts';
import { describeWriteError, writeWhole } from './files.ts';

const SAVE_INTERVAL_MS = 1000;

/** @returns a function that saves and ends. @throws UsageError when the file cannot be written */
export const keepSeedFile = async (mock: NodeMock, path: string): Promise<() => Promise<void>> => {
  let watched: World | undefined;
  let changed = true;
  let writing = Promise.resolve();
  const look = () => {
    // A reset replaces the world.
    if (mock.world !== watched) {
      watched = mock.world;
      watched.observers.push(() => (changed = true));
      changed = true;
    }
    if (!changed) return writing;
    changed = false;
    const text = seedText(seedOf(watched), path.endsWith('.json') ? 'json' : 'yaml');
    writing = writing.then(async () => {
      await writeWhole(path, await text);
    });
    return writing;
  };
  await look().catch(async (error) => {
    await mock.close();
    throw describeWriteError(path, error);
  });
  const timer = setInterval(() => void look().catch(() => (changed = true)), SAVE_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    changed = true;
    return look();
  };
};
