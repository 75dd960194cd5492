// Files are written by one function, whole or not at all; each failure is said, and the next change tries again.
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeTestFolder } from '../../test/temp-folder.ts';
import { readUtf8 } from './files.ts';
import { keepFile } from './keep-file.ts';
import { writeWhole } from './write-file.ts';

let folder: string;
let at: (name: string) => string;
const read = (name: string) => readFileSync(at(name), 'utf8');
beforeEach(() => {
  folder = makeTestFolder();
  at = (name) => join(folder, name);
});

describe('a file', () => {
  test('is written where its links lead, and through no link that waits beside it', async () => {
    for (const name of ['other', 'real']) writeFileSync(at(name), name);
    symlinkSync('other', at('plain.new'));
    symlinkSync('real', at('link'));
    symlinkSync('link', at('far'));
    symlinkSync('later', at('dangling'));
    for (const name of ['plain', 'far', 'dangling']) await writeWhole(at(name), `of ${name}`);
    expect(['other', 'plain', 'real', 'later'].map(read)).toEqual(['other', 'of plain', 'of far', 'of dangling']);
    expect(['link', 'far', 'dangling'].every((name) => lstatSync(at(name)).isSymbolicLink())).toBe(true);
    expect([lstatSync(at('plain')).mode & 0o777, readdirSync(folder).length]).toEqual([0o600, 8]);
  });

  test.each([
    ['.', 'it is a folder, a device or a pipe; name a file.'],
    ['none/file', 'its folder is not there; make it first.'],
    ['file/file', 'its folder is a file; name another one.'],
    ['/dev/null', 'it is a folder, a device or a pipe; name a file.'],
  ])('at %s is refused with what to do, and nothing is left', async (name, says) => {
    writeFileSync(at('file'), 'old');
    const path = name.startsWith('/') ? name : at(name);
    await expect(writeWhole(path, 'new')).rejects.toThrow(`cannot write ${path}: ${says}`);
    expect([readdirSync(folder), read('file')]).toEqual([['file'], 'old']);
  });
});

test.skipIf(process.platform === 'win32')('a device without end is refused like a file that is too long', () =>
  expect(readUtf8('/dev/zero')).rejects.toMatchObject({ code: 'EFBIG' }),
);

describe('a kept file', () => {
  let [said, revision, text] = ['', 0, ''];
  const ends: (() => Promise<boolean>)[] = [];
  const keep = async (path = at('kept/file')) => {
    const { write, end } = await keepFile(path, { revision: () => revision, text: async () => text }, (line) => (said += line));
    ends.push(end);
    return async (next: string) => {
      [revision, text] = [revision + 1, next];
      await write();
    };
  };
  beforeEach(() => {
    mkdirSync(at('kept'));
    [said, text] = ['', 'first'];
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  test('is reported once for each change while its folder is gone, and has all of them afterwards', async () => {
    const change = await keep();
    renameSync(at('kept'), at('gone'));
    await change('second');
    await change('third');
    const failure = `wm-mock: cannot write ${at('kept/file')}: its folder is not there; make it first. It is tried again each second.\n`;
    expect(said).toBe(failure.repeat(2));
    renameSync(at('gone'), at('kept'));
    const mended = `wm-mock: ${at('kept/file')} is written again, with all changes.\n`;
    await expect.poll(() => said, { timeout: 5000 }).toBe(failure.repeat(2) + mended);
    expect(read('kept/file')).toBe('third');
    expect(await ends.pop()!()).toBe(true);
    expect(readdirSync(at('kept'))).toEqual(['file']);
  });

  test('is reported when it cannot be written at the end', async () => {
    const change = await keep();
    rmSync(at('kept'), { recursive: true });
    await change('lost');
    expect([await ends.pop()!(), said.split('\n').at(-2)]).toEqual([
      false,
      `wm-mock: ${at('kept/file')} lacks the last changes.`,
    ]);
  });

  test('has one process, also by a link, and drafts of a killed one go', async () => {
    writeFileSync(at('kept/file.0123456789ab.tmp'), 'half');
    symlinkSync('file', at('kept/link'));
    await keep();
    await expect(keep(at('kept/link'))).rejects.toThrow(
      `is already kept by process ${process.pid}: two at once would lose changes.`,
    );
    await ends.pop()!();
    expect(readdirSync(at('kept'))).toEqual(['file', 'link']);
  });

  const mount = () => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at('kept')]).status === 0;

  test('on a full disk is as it was, and written again once there is room', async ({ skip }) => {
    if (!mount()) skip('needs the right to mount');
    try {
      const change = await keep();
      expect(() => writeFileSync(at('kept/fill'), 'x'.repeat(99_999))).toThrow();
      await change('y'.repeat(9999));
      expect(said).toContain('the disk is full; make room. It is tried again each second.');
      expect([read('kept/file'), readdirSync(at('kept'))]).toEqual(['first', ['file', 'file.lock', 'fill']]);
      rmSync(at('kept/fill'));
      await change('last');
      expect([read('kept/file'), await ends.pop()!()]).toEqual(['last', true]);
    } finally {
      execFileSync('umount', ['-l', at('kept')]);
    }
  });
});

/** Files below a folder whose code matches. */
const callers = (room: string, pattern: RegExp): readonly string[] =>
  (readdirSync(room, { recursive: true }) as string[])
    .filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        !/^test\/|\.(test|generated)\./.test(file) &&
        pattern.test(readFileSync(join(room, file), 'utf8')),
    )
    .sort();

test('one function writes files, and one guard reads JSON and YAML: nothing else calls what they call', () => {
  const writes = /\b(?:(?:write|append|copy)File|rename|mkdtemp|open)(?:Sync)?\((?!dialog)|createWriteStream/;
  expect(callers('src/node', writes)).toEqual([
    'client/checkout.ts', // A folder for another revision.
    'client/command-run.ts', // A folder for notes.
    'client/trial-notes.ts', // Appends notes of a run.
    'commands/client.ts', // Appends to the summary of GitHub.
    'files/file-lock.ts', // The lock itself, which only one process may make.
    'files/files.ts', // Ends the wait for a pipe.
    'files/write-file.ts',
  ]);
  expect(callers('src', /from 'yaml'/)).toEqual(['mock/seed/yaml-source.ts']);
  // All but json-text.ts parse what this program wrote, or a small text that their clients send back.
  expect(callers('src', /JSON\.parse\(/).join(' ')).toBe(
    `client/trial-events.ts connect/call.ts dashboard/data/collection.ts hosted/kv-shelf.ts hosted/origins.ts mock/control/owner.ts
    mock/recording/past-worlds.ts mock/recording/replay.ts mock/recording/replayed-world.ts mock/recording/write-file.ts
    node/client/trial-notes.ts
    node/files/files.ts node/package-folder.ts service/http/respond-with-fault.ts
    service/lists/cursor.ts service/validation/json-text.ts service/world/records.ts`.replace(/\s+/g, ' '),
  );
});
