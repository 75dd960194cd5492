// A file that is watched, changed in every way that editors, links, version control and people know.
import { mkdir, rename, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTestFolder } from '../../test/temp-folder.ts';
import { readFileState, watchFile } from './watch-file.ts';

let folder: string;
let file: string;
let changes = 0;
let end = () => {};
beforeEach(async () => {
  folder = makeTestFolder();
  file = join(folder, 'seed.yaml');
  await writeFile(file, 'one');
  changes = 0;
});
afterEach(() => end());
const watch = (path = file, since?: string) => {
  const tell = () => {
    changes += 1;
  };
  end = watchFile(path, tell, since);
};
const becomes = (count: number) => expect.poll(() => changes).toBe(count);

const WAYS: Readonly<Record<string, () => Promise<void>>> = {
  'is written': () => writeFile(file, 'two'),
  'is written with as many letters at the same second': async () => {
    await writeFile(file, 'two');
    await utimes(file, 1, 1);
  },
  'is replaced by another': async () => {
    await writeFile(join(folder, 'new'), 'two');
    await rename(join(folder, 'new'), file);
  },
  'is deleted and created again': async () => {
    await unlink(file);
    await writeFile(file, 'two');
  },
};

test.each(Object.entries(WAYS))('a file that %s', async (_, change) => {
  watch();
  await change();
  await becomes(1);
});

test('a file that a link leads to, and a link that leads elsewhere', async () => {
  const link = join(folder, 'link.yaml');
  await symlink(file, link);
  watch(link);
  await writeFile(file, 'two');
  await becomes(1);
  await writeFile(join(folder, 'other.yaml'), 'three');
  await unlink(link);
  await symlink(join(folder, 'other.yaml'), link);
  await becomes(2);
});

test('a file whose folder is repeatedly moved away and created again', async () => {
  const inner = join(folder, 'inner');
  const make = async (text: string) => {
    await mkdir(inner);
    await writeFile(join(inner, 'seed.yaml'), text);
  };
  await make('one');
  watch(join(inner, 'seed.yaml'));
  for (const count of [1, 2]) {
    await rename(inner, `${inner}-${count}`);
    await make(`again ${count}`);
    await becomes(count);
  }
});

test('a file that has changed since it was read', async () => {
  const since = readFileState(file);
  await writeFile(file, 'two');
  watch(file, since);
  await becomes(1);
});

test('a file that is gone, and back', async () => {
  watch();
  await unlink(file);
  await becomes(1);
  await writeFile(file, 'two');
  await becomes(2);
});

test('a file that others around it change says nothing', async () => {
  watch();
  await writeFile(join(folder, 'other.yaml'), 'x');
  await new Promise((done) => setTimeout(done, 350));
  expect(changes).toBe(0);
});
