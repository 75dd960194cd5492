// What README.md and AGENTS.md alone tell, done as they tell it, in projects with the packed tarball: the server and the curl line that it
// prints, calls of the control API, a program in another process, a recording played again; the tour of a program; the short tests;
// the contract suite; a first seed; the tools of a coding agent, each of which is there by its name.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browsersFor } from '../scripts/browser.mjs';
import { inFolder, install, sh } from './packed.mjs';
import { freePort, start } from './start.mjs';
import { ROOT } from './tools.mjs';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const AGENTS = readFileSync(join(ROOT, 'AGENTS.md'), 'utf8');
const [, CONFIG] = /^```json\n([\s\S]*?)^```$/m.exec(AGENTS);
const MOST_LINES = 5;
const MOST_SECONDS = 180;

const fail = (message) => {
  throw new Error(message);
};

/** Lines that a person has to make: none of blanks and comments. */
export const lines = (code) => code.split('\n').filter((line) => /\S/.test(line) && !/^\s*(#|\/\/)/.test(line)).length;

/** @returns what a door takes, in words. @throws when that is more than a newcomer has patience for. */
export const patience = (door, seconds, written, typed) => {
  if (Math.max(written, typed) > MOST_LINES || seconds > MOST_SECONDS)
    fail(
      `${door} opens after ${written} lines to write, ${typed} to type and ${seconds.toFixed()} s: at most ${MOST_LINES}, ${MOST_LINES} and ${MOST_SECONDS}`,
    );
  return `opens after ${written} lines to write, ${typed} to type`;
};

/** The code under a heading of README.md. */
const under = (heading) => {
  const [, section] = README.split(`\n### ${heading}\n`);
  const [text] = (section ?? fail(`README.md has no heading ${heading}`)).split(/\n##+ /);
  return [...text.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
};

const run = (script, folder, prints = '', env = {}) => {
  const { status, said } = sh(script, folder, env);
  if (status !== 0 || !said.includes(prints))
    fail(`${script}\nends with ${status}, and does not print ${JSON.stringify(prints)}:\n${said}`);
  return said;
};
const told = (command) => (README.includes(command) ? command : fail(`README.md does not tell ${command}`));

const curl = (line) => /^ *Try +(curl .*)/.exec(line)?.[1];

const clone = async (folder) => {
  told('npm ci && npm start');
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [program, ...words] = scripts.start.split(' ');
  const mock = await start(program, [...words, '--port', '0'], curl);
  run(mock.value, folder, '"items"');
  await mock.stop();
};

const server = async (folder) => {
  told('npx wm-mock');
  const port = await freePort();
  const here = (text) => text.replaceAll(':4700', `:${port}`);
  // By its own name: npx would not hand on the signal that ends it.
  const program = join(folder, 'node_modules/.bin/wm-mock');
  const mock = await start(program, ['--port', String(port), '--record', 'bug.wm.json'], curl, { cwd: folder });
  run(mock.value, folder, '"items"');
  const said = run(here(under('The control API')[0]), folder, '"base_url"');
  if (said.includes('"error"')) fail(`a call of the control API is refused: ${said}`);
  writeFileSync(join(folder, 'other.mjs'), here(under('A mock in another process')[0]));
  run('node other.mjs', folder);
  await mock.stop();
  run('npx wm-mock replay bug.wm.json', folder, 'the same bytes');
};

const program = async (folder) => {
  const [first, tour] = under('A program');
  writeFileSync(join(folder, 'first.mjs'), first);
  run('node first.mjs', folder, 'limit: 5');
  writeFileSync(join(folder, 'tour.mjs'), first + tour);
  run('node tour.mjs', folder);
};

const test = (heading, file, command) => async (folder, env) => {
  writeFileSync(join(folder, file), under(heading)[0]);
  run(command, folder, '', env);
};

const agent = async (folder) => {
  cpSync(join(ROOT, 'fixtures/tiny.yaml'), join(folder, 'my.yaml'));
  const { command, args } = JSON.parse(CONFIG).mcpServers['wm-mock'];
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'ci', version: '1' } };
  const asked = [
    { id: 1, method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  const input = asked.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
  const { stdout, stderr } = spawnSync(command, args, { cwd: folder, input, encoding: 'utf8', timeout: 60_000 });
  const { result } = JSON.parse(stdout.split('\n')[1] || fail(`${command} ${args.join(' ')} answers nothing: ${stderr}`));
  const tools = result.tools.map(({ name }) => name);
  const named = [...AGENTS.matchAll(/`([a-z]+_[a-z_]+)`(?! \()|`([a-z_]+)` \(/g)].map(([, name, other]) => name ?? other);
  const missing = named.filter((name) => !tools.includes(name) && !['next_cursor', 'retry_after'].includes(name));
  if (missing.length > 0) fail(`AGENTS.md names tools that there are not: ${missing.join(', ')}`);
};

/** What is installed beside, what is done, and what of it is to be written. */
const DOORS = {
  'a clone, npm start': [[], clone],
  'npx wm-mock, the control API, another process, replay': [[], server, under('A mock in another process')[0]],
  'a program': [[], program, under('A program')[0]],
  vitest: [['vitest'], test('vitest', 'tasks.test.ts', 'npx vitest run'), under('vitest')[0]],
  Playwright: [['@playwright/test'], test('Playwright', 'tasks.spec.ts', 'npx playwright test'), under('Playwright')[0]],
  MSW: [['msw'], test('MSW', 'mocked.mjs', 'node mocked.mjs'), under('MSW')[0]],
  'npx wm-mock contract': [[], (folder) => run(told('npx wm-mock contract'), folder, 'CONFORMANT')],
  'npx wm-mock init': [[], (folder) => run(`${told('npx wm-mock init')} && npx wm-mock check wm-mock.yaml`, folder, 'fine')],
  'AGENTS.md, npx wm-mock mcp': [['@modelcontextprotocol/server'], agent, CONFIG],
};

/** Each door opens as it is told, with the packed tarball, in a project of its own. */
export const readme = async (tarball) => {
  for (const [door, [needs, call, code = '']] of Object.entries(DOORS)) {
    const began = performance.now();
    await inFolder(async (folder) => {
      install(folder, tarball, needs);
      await call(folder, needs.some((need) => need.includes('playwright')) ? browsersFor(folder) : {});
    });
    const seconds = (performance.now() - began) / 1000;
    const told = patience(door, seconds, lines(code), 1);
    console.log(`README.md, ${door}: runs as written (${seconds.toFixed(1)} s), ${told}`);
  }
};
