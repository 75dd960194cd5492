// The guard against breaking changes compares with the document that was released last.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { broken, checkReleased, keepReleased } from './released.ts';

const folders: string[] = [];
const folderOf = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), 'wm-mock-released-')));
  return folders.at(-1)!;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe('released documents', () => {
  const document = (version: string, paths: object = {}) => ({ info: { version }, paths, components: {} });
  const one = { '/a': { get: { responses: {} } } };
  const run = async (folder: string, now: object) => {
    const said: string[] = [];
    return { status: await checkReleased(folder, (line) => void said.push(line), now as never), said };
  };

  test('are compared with the last one, by number', async () => {
    const folder = folderOf();
    const none = 'openapi/released holds no released document: keep one with `node scripts/generate.mjs --keep-release`';
    expect(await run(folder, document('1.0.0'))).toEqual({ status: 1, said: [none] });
    const said: string[] = [];
    for (const version of ['1.9.0', '1.10.0', '1.2.11']) {
      expect(
        await keepReleased(folder, (line) => void said.push(line), document(version, version === '1.10.0' ? one : {}) as never),
      ).toBe(0);
    }
    expect(said[0]).toBe('wrote openapi/released/1.9.0.json');
    for (const name of ['x1.99.0.json', '1.99.0.json.txt', '1.99.json', '1a99.0.json'])
      writeFileSync(join(folder, 'openapi/released', name), '{}');
    expect(readFileSync(join(folder, 'openapi/released/1.9.0.json'), 'utf8')).toBe(
      `${JSON.stringify(document('1.9.0'), null, 2)}\n`,
    );
    expect(await run(folder, document('1.11.0', one))).toEqual({ status: 0, said: ['no breaking change since 1.10.0.json'] });
    expect(await run(folder, document('1.11.0'))).toEqual({
      status: 1,
      said: [
        'breaking: GET /a : GET /a is gone (an endpoint was removed or renamed)',
        '1 breaking changes since 1.10.0.json: they need a new major version (spec: Versioning 3)',
      ],
    });
    expect(await run(folder, document('2.0.0'))).toEqual({ status: 0, said: ['no breaking change since 1.10.0.json'] });
    expect(broken(document('2.0.0', one) as never, document('1.0.0') as never)).toHaveLength(1);
  });

  test('of a patch count by number as well', async () => {
    const folder = folderOf();
    mkdirSync(join(folder, 'openapi/released'), { recursive: true });
    for (const version of ['1.0.9', '1.0.10']) await keepReleased(folder, () => {}, document(version) as never);
    expect((await run(folder, document('1.0.11'))).said).toEqual(['no breaking change since 1.0.10.json']);
    await keepReleased(folder, () => {}, document('2.0.0') as never);
    expect((await run(folder, document('2.0.1'))).said).toEqual(['no breaking change since 2.0.0.json']);
  });
});
