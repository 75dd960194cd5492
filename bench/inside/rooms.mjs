// The rooms of the source as one module: the published bundle does not let anybody replace a part, this one does.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const isPackage = (id) => /^(?![./]|[a-z]:)/i.test(id);

/** Bundles the source beside the packages that it imports, and loads it. */
export async function loadRooms() {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, 'wm-mock-bench-'));
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  const build = await rolldown({
    input: { rooms: join(ROOT, 'bench/inside/entry.mjs') },
    platform: 'neutral',
    external: isPackage,
    tsconfig: join(ROOT, 'tsconfig.json'),
    cwd: ROOT,
  });
  await build.write({ dir, format: 'esm' });
  await build.close();
  return import(pathToFileURL(join(dir, 'rooms.js')).href);
}
