// Texts of the command line, to the byte: helps, banners, lists, and each mistake with its exit status.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CHOICES } from '../service/contract/choices.ts';
import { LATEST, RELEASES } from '../service/contract/releases.ts';
import { refused, run, start } from '../test/command-line.ts';
import { makeFileFolder } from '../test/temp-folder.ts';
import { COMMANDS } from './command-line/flags.ts';
import { limitLines } from './commands/serve.ts';
import { packageVersion } from './package-folder.ts';

const STARTER = readFileSync('fixtures/starter.yaml', 'utf8');
const folder = makeFileFolder();
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

/** A text without what no two runs share. */
const plain = (text: string): string =>
  text
    .replaceAll(folder, '(folder)')
    .replaceAll(process.cwd(), '(package)')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:(port)')
    // Where else this machine is reached differs from machine to machine.
    .replace(/(\n {8}http:\S+)+/g, '')
    .replace(/(token )[\w-]{24}/g, '$1(token)')
    .replaceAll('\u001b', '\\e');

test('the help of the program and of each command', async () => {
  const helps = [['--help'], ...Object.keys(COMMANDS).map((name) => [name, '--help'])];
  const texts = [];
  const known = new Set<string>();
  for (const words of helps) {
    const { status, out, err } = await run(words);
    expect([status, err]).toEqual([0, '']);
    // An option that another command has as well stands here by its name.
    const option = /^ {2}(?:-\w, | {4})(--[\w-]+).*/;
    const lines = out.split('\n').map((line) => (known.has(line) ? line.replace(option, '=$1') : line));
    for (const line of out.split('\n')) known.add(line);
    texts.push(`$ wm-mock ${words.join(' ')}\n${lines.join('\n').replaceAll('\n=', ' ')}`);
  }
  for (const words of [[], ['check']]) expect(await run([...words, '-h'])).toEqual(await run([...words, '--help']));
  await expect(texts.join('\n')).toMatchFileSnapshot('golden/help.txt');
});

test('the version is that of the package', async () => {
  const version = `${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`;
  for (const words of [['--version'], ['-v'], ['check', '--version']])
    expect(await run(words)).toEqual({ status: 0, out: version, err: '' });
  expect((await run(['--version', '--help'])).out).toContain('wm-mock serve');
  for (const [words, same] of [
    [['help'], ['--help']],
    [
      ['help', 'client'],
      ['client', '--help'],
    ],
    [['version'], ['--version']],
  ] as const)
    expect((await run(words)).out).toBe((await run(same)).out);
});

test('`wm-mock choices` prints each open point with its question, options, default and reason, and names in bold', async () => {
  const { out } = await run(['choices']);
  const [head, first, ...rest] = out.trimEnd().split('\n\n');
  expect(head).toBe('Open points: what the spec leaves open. * marks the default; choose another with --choice <name>=<option>.');
  expect(first!.split('\n')).toEqual([
    'owner-field  (Resources)',
    '  Does a project show its owner?',
    '  * absent             no owner field',
    '    owner_id           an extra field `owner_id`',
    '    Why: The spec says "not shown"; a client must not rely on it.',
  ]);
  expect([first, ...rest].map((block) => block!.split(' ')[0])).toEqual(Object.keys(CHOICES));
  expect(plain((await run(['choices'], { colour: true })).out)).toBe(out.replace(/^(\S+)(?= {2}\()/gm, '\\e[1m$1\\e[22m'));
});

test('each OpenAPI document is the generated one', async () => {
  const printed = async (...words: string[]) => (await run(['openapi', ...words])).out;
  const printedJson = async (...words: string[]) => JSON.parse(await printed(...words));
  const generated = (name: string) => JSON.parse(readFileSync(`openapi/${name}`, 'utf8'));
  expect(await printedJson()).toEqual(generated('openapi.json'));
  expect(await printedJson('--release', RELEASES[LATEST].version)).toEqual(generated('openapi.json'));
  expect(await printedJson('--release', '1.1')).toEqual(generated('openapi-1.1.json'));
  expect(await printed('--yaml')).toBe(readFileSync('openapi/openapi.yaml', 'utf8'));
  expect(await printed('--yaml', '--release', '1.0')).toContain('version: 1.0.0');
});

test('init writes the starter, says so, and does not write over a file', async () => {
  const runs = [];
  for (const words of [[], [], ['--force'], ['mine.yaml'], ['none/mine.yaml']]) {
    const { status, out, err } = await run(['init', ...words], { cwd: folder });
    runs.push(`$ wm-mock init ${words.join(' ')}\n${out}${err}=> ${status}\n`);
  }
  await expect(plain(runs.join('\n'))).toMatchFileSnapshot('golden/init.txt');
  expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).toBe(STARTER);
  for (const path of ['node_modules/wm-mock/openapi/seed.schema.json', 'seeds/.keep'])
    mkdirSync(dirname(join(folder, path)), { recursive: true });
  write('node_modules/wm-mock/openapi/seed.schema.json', '{}');
  await run(['init', 'seeds/mine.yaml'], { cwd: folder });
  expect(readFileSync(join(folder, 'seeds/mine.yaml'), 'utf8')).toContain('$schema=../node_modules/wm-mock/openapi/');
});

test('completion prints a script for each shell; in bash it completes commands, flags, and what stands first', async () => {
  const { out: script } = await run(['completion', 'bash']);
  const complete = (words: string) => {
    const command = `COMP_WORDS=(wm-mock ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _wm_mock; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', `${script}\n${command}`], { encoding: 'utf8' }).trim();
  };
  const found = ['check choices', '--seed', '--open --host --port --help --version'];
  expect(['ch', '--see', 'replay --'].map(complete)).toEqual(found);
  expect((await run(['completion', 'fish'])).out).toContain("complete -c wm-mock -n __fish_use_subcommand -a init -d 'write");
});

test('check counts what a sound seed has, and names what is wrong with another', async () => {
  const one = 'workspaces: [{ id: ws, users: [{ id: u }], api_keys: [{}] }]\n';
  write('one.yaml', one);
  write('none.yaml', one.replace('users: [{ id: u }]', 'users: [], generate: { users: 2, projects: 1 }'));
  write('broken.yaml', one.replace('{}', '{ scope: king, colour: red }'));
  write('torn.json', '{ "workspaces": [');
  const runs = [];
  for (const name of ['one.yaml', 'none.yaml', 'broken.yaml', 'torn.json', 'missing.yaml', '.']) {
    const { status, out, err } = await run(['check', name], { cwd: folder });
    runs.push(`$ wm-mock check ${name}\n${out}${err}=> ${status}\n`);
  }
  for (const name of ['demo', 'tiny', 'edges']) {
    const { status, out, err } = await run(['check', `fixtures/${name}.yaml`]);
    runs.push(`$ wm-mock check fixtures/${name}.yaml\n${out}${err}=> ${status}\n`);
  }
  await expect(plain(runs.join('\n'))).toMatchFileSnapshot('golden/check.txt');
});

const MISTAKES: readonly (readonly [words: readonly string[], env?: Record<string, string>])[] = [
  [['sevre']],
  [['toString']],
  [['--wat']],
  [['-x']],
  [['check', '--port', '1', 'x']],
  [['check']],
  [['--port']],
  [['--port', '-1']],
  [['--port', 'x']],
  [['--port', '1.5']],
  [['--port', ' 1']],
  [['--port', '1x']],
  [['--port', '65536']],
  [[], { WM_MOCK_PORT: 'many' }],
  [['--watch=1']],
  [['--watch']],
  [['--json', '--seed']],
  [['--random-seed', '4294967296']],
  [['--random-seed', '-1']],
  [['--world-idle', '1000001']],
  [['--world-idle', 'soon']],
  [['--plan', 'gold']],
  [['--plan', 'toString']],
  [['--latency', '9-1']],
  [['--latency', 'x']],
  [['--latency', '1-']],
  [['--latency', '-1']],
  [['--latency', '1234567']],
  [['--latency', '1-1234567']],
  [['--latency', ' 1-2']],
  [['--latency', '1-2ms']],
  [['--now', 'soon']],
  [['--now', '5']],
  [['--now', '20 Jan 2025']],
  [['--now', '2025-02-30T00:00:00Z']],
  [['--now', '2025-01-20T09:00']],
  [['--now', '1969-12-31T23:59:59Z']],
  [['--host', '']],
  [['--host', 'http://localhost']],
  [['--allow-host', 'mock.local', '--allow-host', 'http://mock.local']],
  [['serve', 'extra']],
  [['serve', 'mine.yaml']],
  [['serve', '--forward-compat', 'fields,order']],
  [['-p', '0', 'openapi']],
  [['choices', 'wrong-method']],
  [['init', 'a.yaml', 'b.yaml']],
  [['init', 'seed.json']],
  [['contract', 'http://127.0.0.1']],
  [['check', 'broken.yaml', 'missing.yaml', 'torn.yaml']],
  [['--release', '2.0']],
  [['--forward-compat=colour']],
  [['--control-token', 'open sesame']],
  [['--control-token', '']],
  [['--control-token', 'é']],
  [['--choice', 'nope']],
  [['--choice', '=x']],
  [['--choice', 'patch-status=']],
  [['--choice', 'patch-status=418', '--choice', 'nonsense=1']],
  [[], { WM_MOCK_CHOICE: 'patch-status=418,nope=1' }],
  [['--choices', 'missing.yaml']],
  [['--choices', 'torn.yaml']],
  [['--choices', 'list.yaml']],
  [['--choices', 'text.yaml']],
  [['--choices', 'wrong.yaml']],
  [['--choices', 'nested.yaml']],
  [['--choices', 'listed.yaml']],
  [['--seed', 'missing.yaml']],
  [['--seed', 'bug.wm.json']],
  [['--seed', '.']],
  [['--seed', 'none/x.yaml']],
  [['--seed', 'broken.yaml']],
  [['--seed', 'broken.yaml', '--watch']],
  [['exec']],
  [['exec', '--']],
  [['exec', '--json', '--', 'true']],
  [['exec', '--watch', '--', 'true']],
  [['exec', '--open', '--', 'true']],
  [['exec', '--port', 'x', '--', 'true']],
  [['openapi', '--release', '0.9']],
  [['completion', 'csh']],
  [['init', '--service-worker', 'a.file/x']],
];

test('each mistake is a line that says what to do, with its exit status', async () => {
  write('broken.yaml', 'workspaces: [{ id: ws, users: [{}], api_keys: [{ scope: king }] }]\n');
  write('torn.yaml', 'a: [\n');
  write('list.yaml', '- a\n');
  write('text.yaml', 'a\n');
  write('wrong.yaml', 'patch-status: 418\n');
  write('nested.yaml', 'choices: { wrong-method: 418 }\n');
  write('listed.yaml', 'choices: [a]\n');
  write('a.file', '');
  const runs = [];
  for (const [words, env] of MISTAKES) {
    const { status, out, err } = await refused(words, { cwd: folder, ...(env ? { env } : {}) });
    expect([words, out]).toEqual([words, '']);
    const before = Object.entries(env ?? {}).map(([name, value]) => `${name}=${value} `);
    runs.push(`$ ${before.join('')}wm-mock ${words.map((word) => JSON.stringify(word)).join(' ')}  => ${status}\n${err}`);
  }
  await expect(plain(runs.join(''))).toMatchFileSnapshot('golden/mistakes.txt');
});

test('with DEBUG=wm-mock a mistake shows where it was thrown', async () => {
  const { err, status } = await refused(['--plan', 'gold'], { env: { DEBUG: 'x,wm-mock' } });
  expect(err).toMatch(
    /^UsageError: --plan: unknown value, expected one of free, pro, business, unlimited, got "gold"\.\n {4}at /,
  );
  expect(status).toBe(2);
  expect((await refused(['--plan', 'gold'], { env: { DEBUG: 'x' } })).err).not.toContain('    at ');
});

test('a started mock shows its address, seed, clock, keys and a line to paste', async () => {
  write('empty.yaml', 'workspaces: [{ id: ws, users: [{ id: u }], api_keys: [{ value: k, revoked: true }] }]\n');
  const banners = [];
  for (const [words, more] of [
    [[], {}],
    [['serve'], { colour: true }],
    [['--seed', 'fixtures/tiny.yaml'], {}],
    [['-s', 'fixtures/tiny.yaml', '--now', '2025-03-01T12:00:00+01:00', '--control-token', 'sesame'], { colour: true }],
    [['--seed', 'fixtures/tiny.yaml', '--host', '0.0.0.0'], {}],
    [['--seed', join(folder, 'empty.yaml')], {}],
  ] as const) {
    const started = start([...words, '-p', '0'], more);
    await started.until('nothing is kept');
    started.stop();
    expect([await started.status, started.err]).toEqual([0, '']);
    banners.push(`$ wm-mock ${words.join(' ')}\n${started.out}`);
  }
  const version = await packageVersion();
  await expect(plain(banners.join('\n')).replaceAll(version, '(version)')).toMatchFileSnapshot('golden/banner.txt');
});

test('a pipe gets a line for each request, at most 50 a second', async () => {
  const started = start(['--port', '0'], { piped: true });
  await started.until('nothing is kept');
  await fetch(`${/http:\S+\/v1/.exec(started.out)![0]}/tasks`);
  await started.until(' 401 GET ');
  started.stop();
  const lines: string[] = [];
  const tell = limitLines(
    (text) => lines.push(text),
    () => 5000,
  );
  for (let i = 0; i < 60; i++) tell(() => 'line');
  expect(lines.length).toBe(50);
});

test('with --json a line when ready and a line for each request', async () => {
  const started = start(['--json', '--port', '0', '--seed', 'fixtures/tiny.yaml', '--control-token', 'sesame'], {
    env: { BROWSER: '/nowhere/browser' },
  });
  await started.until('\n');
  const { base_url } = JSON.parse(started.out);
  const headers = { authorization: 'Bearer wm_tiny_read' };
  await fetch(`${base_url}/tasks?limit=1&api_key=wm_tiny_admin`, { headers });
  await fetch(`${base_url}/teams`, { method: 'POST', headers });
  await fetch(`${base_url}/nowhere`);
  started.stop();
  expect([await started.status, started.err]).toEqual([0, '']);
  await expect(plain(started.out)).toMatchFileSnapshot('golden/json-lines.txt');
});
