// Makes the changes that a newcomer will make, in a copy of the tree, and counts the files that each of them touches by hand.
// `node lab/drills.mjs [name…]`: rows are added as `next`, and show under that name alone, in the dashboard, the OpenAPI document, the
// suite, seeds and MCP; then a release is made of them, which the types and the tests of the tables see as well. With names, only those.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { served } from '../.ci/start.mjs';
import { run } from '../.ci/tools.mjs';
import { words } from './shared.mjs';

const LAST_OF = { tasks: '\n {2}status: first\\.preset\\(TaskStatus,.*', teams: '\n {2}members: first\\.derived\\(.*' };
/** Fields of each type: where, and as what. */
const FIELDS = `
a number | tasks.points | optional(integer({ minimum: 0, description: 'How big it is.', examples: [3] }))
text | tasks.headline | optional(textSchema(80, 'In one line.', 'Notes for the release'))
a list of ids | tasks.watcher_ids | preset(array(userId, { description: 'Who is told.' }), [], { refers: 'users' })
a fraction | teams.effort | optional(number({ minimum: 0, description: 'In days.', examples: [0.5] }))
true or false | teams.archived | preset(boolean({ description: 'Whether it is put away.' }), false)
a nullable choice | teams.mood | preset(nullable(oneOf(['good', 'bad'], { description: 'How it goes.', examples: ['bad'] })), 'good')
a list of texts | teams.labels | preset(array(string({ maxLength: 20 }), { description: 'Words for it.', examples: [['tax']] }), [])
a list of choices | teams.channels | preset(array(oneOf(['mail', 'chat']), { description: 'How.', examples: [['mail']] }), [])
a list of times | teams.reminded_at | preset(array(time('A reminder.'), { description: 'When it was.', examples: [[]] }), [])`;
/** A field shows by its name everywhere. */
const fieldDrill = (row) => {
  const [type, path, stated] = row.split(' | ');
  const [kind, name] = path.split('.');
  const added = { [LAST_OF[kind]]: `\n  ${name}: since('next').${stated},` };
  const rows = stated.includes('(number(') ? { ...added, '\\bnullable,': ' number,' } : added;
  const quoted = `"${name}"`;
  const shows = { openapi: quoted, types: `${name}?: `, seed: quoted, mcp: quoted, dashboard: `name=${quoted}` };
  const drill = {
    ceiling: 1,
    edits: { 'src/service/contract/resources.ts': rows },
    shows: { ...shows, suite: `"field":${quoted}` },
    hidden: ['openapi', 'dashboard', 'suite'],
    named: [path],
  };
  return [`a field that is ${type}`, drill];
};

/**
 * `edits`: the files that are touched by hand, at most `ceiling`: in each, patterns and what is put behind them, or a new file.
 * `shows`: what each surface holds afterwards. `hidden`: those that have it at `next` alone before the release. `named`: what the
 * names of tests must hold, so that what was changed is what was tested.
 */
const DRILLS = {
  ...Object.fromEntries(FIELDS.trim().split('\n').map(fieldDrill)),
  'an operation': {
    ceiling: 2,
    edits: {
      'src/service/contract/operations.ts': {
        "} from './choices\\.ts';": "\nimport { patch } from './fields.ts';",
        '\n {2}type RESOURCES,': '\n  TEAMS,',
        '\n {4}getTeam: \\{[^]*?\n {4}\\},': `
    updateTeam: {
      call: 'PATCH /teams/{team_id}', summary: 'Update a team', scope: 'team-scope', since: 'next',
      body: patch(TEAMS), response: ENVELOPES.TeamDetailResponse, open: ['team-scope'],
    },`,
      },
      'src/service/http/handlers/index.ts': {
        '\n {2}getTeam: .*\n':
          "  updateTeam: (view, { found, body }) => showTeamDetail(view)(applyPatch(view, 'teams', found, body)),\n",
      },
    },
    shows: {
      openapi: '"operationId": "updateTeam"',
      types: 'components["schemas"]["TeamPatch"]',
      dashboard: 'aria-label="Edit team_launch"',
      suite: 'PATCH /teams/{team_id} was not called',
      mcp: 'Renamed by a drill',
    },
    hidden: ['openapi', 'dashboard', 'suite', 'mcp'],
    named: ['updateTeam returns 200', 'updateTeam returns 422'],
  },
  'an open point': {
    ceiling: 1,
    edits: {
      'src/service/contract/choices.ts': {
        'export const CHOICES = \\{': `
  'team-create-status': endpoints('next')(
    'Which status has the response to POST /teams?', { '201': '201', '200': '200' },
    'The general rule: 201 for creation.', { status: 'POST /teams', ours: '201' },
  ),`,
      },
    },
    shows: {
      openapi: '"team-create-status"',
      types: "'team-create-status'",
      seed: '"team-create-status"',
      dashboard: 'team-create-status',
      suite: '# team-create-status was not seen.',
      mcp: 'team-create-status',
    },
    hidden: ['openapi', 'suite'],
    named: ['team-create-status'],
  },
  'a control call with its button': {
    ceiling: 2,
    edits: {
      'src/mock/control/operations.ts': {
        '\n {4}getClock: .*': `
    stopClock: controlCall('POST /clock/stop', 'Stop the clock', {
      tool: 'stop_clock', response: is.ClockNow, button: { page: 'clock', label: 'Stop', says: 'It is {now}, and stays so.' },
    }),`,
      },
      'src/mock/control/calls/clock.ts': {
        '\n {2}getClock: .*':
          "\n  stopClock: ({ instance: { world } }) => (world.clock.set(world.clock.now(), 'frozen'), showClock(world.clock)),",
      },
    },
    shows: {
      control: '"stopClock"',
      types: '"POST /clock/stop"',
      dashboard: '<button type="submit" name="do" value="stop"',
      mcp: '"stop_clock"',
    },
  },
  'a page of the dashboard': {
    ceiling: 2,
    edits: {
      'src/dashboard/pages/help.tsx': `// Help: where to read on.
import type { DashboardPage } from '../page.ts';
import { Card } from '../parts.tsx';

export const help: DashboardPage = {
  id: 'help', path: '/dashboard/help', title: 'Help', live: [], examples: { help: '/dashboard/help' },
  nav: { label: 'Help', icon: 'docs', key: 'h', group: 'Behaviour' },
  says: () => 'Where to read on.',
  parts: [() => <Card title="Reference">/docs</Card>],
};
`,
      'src/dashboard/pages.ts': {
        "from './pages/faults\\.tsx';": "\nimport { help } from './pages/help.tsx';",
        '\n {2}choicesPage,': '\n  help,',
      },
    },
    shows: { dashboard: 'Where to read on.' },
  },
};

const LATER = { seed: '"1.4"', dashboard: '1.4', mcp: '1.4' };
const RELEASE = {
  ceiling: 1,
  edits: {
    'src/service/contract/releases.ts': {
      "'1\\.3': \\{[^]*?\n {2}\\},": "\n  '1.4': { version: '1.4.0', date: 'March 2025', says: ['what the drills added'] },",
    },
  },
  shows: { ...LATER, openapi: '"version": "1.4.0"', types: 'export interface paths', suite: 'judged as v1.4' },
  named: ['1.4'],
};

/** Tests of what the tables make. */
const TESTS = words('src/fields.test.ts src/service/contract src/service/openapi src/service/http documents/released.test.ts');
const SLOW = words('--exclude **/*.browser.test.ts --exclude **/fuzz.test.ts');

/** A copy of the tree; its packages are links, its caches are its own. */
const copied = () => {
  const folder = mkdtempSync(join(tmpdir(), 'wm-mock-drill-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const linked = `mkdir ${folder}/node_modules && ln -s "$PWD"/node_modules/{*,.bin} ${folder}/node_modules`;
  run('bash', ['-c', `git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t ${folder} && ${linked}`]);
  return folder;
};

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** @throws Error when a change no longer fits its file. */
const edit = (folder, edits) => {
  for (const [file, rows] of Object.entries(edits)) {
    let text = read(join(folder, file));
    if (typeof rows === 'string') text += rows;
    else
      for (const [pattern, more] of Object.entries(rows)) {
        const before = text;
        text = text.replace(RegExp(pattern), (found) => found + more);
        if (text === before) throw new Error(`${file}: the drill no longer fits it; bring lab/drills.mjs up to date`);
      }
    writeFileSync(join(folder, file), text);
  }
};

const PAGES = ['data/tasks?new=1', 'data/teams?new=1', 'data/teams?open=team_launch', 'choices', 'clock', 'settings', 'help'];
const TOOL_CALLS = [
  ['describe_mock', {}],
  ['read_records', { kind: 'task' }],
  ['read_records', { kind: 'team' }],
  ['call_api', { method: 'PATCH', path: '/teams/team_launch', body: { name: 'Renamed by a drill' } }],
  ['choose', {}],
];

/** The tools of `wm-mock mcp`, and the responses of some. */
const askTools = async (folder, release) => {
  const args = ['dist/node/cli.js', 'mcp', '--seed', 'demo', '--release', release];
  const client = new Client({ name: 'drill', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: 'ignore' }));
  const texts = (await client.listTools()).tools.map(({ name }) => JSON.stringify(name));
  for (const [name, given] of TOOL_CALLS) {
    const { content } = await client.callTool({ name, arguments: given });
    texts.push(...content.map(({ text }) => text));
  }
  await client.close();
  return texts.join('\n');
};

/** Each surface of the package as a text, at a release. */
const surfacesAt = async (folder, release) => {
  const cli = (args, options) => run('node', ['dist/node/cli.js', ...args], { cwd: folder, failing: true, ...options });
  const mock = await served(['serve', '--release', release], { cwd: folder });
  const page = async (path) => (await fetch(new URL(`/dashboard/${path}`, mock.baseUrl))).text();
  const dashboard = (await Promise.all(PAGES.map(page))).join('');
  await mock.stop();
  const printed = cli(['contract', '--release', release, '--allow', 'webhooks']);
  if (!/CONFORMANT|PARTIAL/.test(printed.stdout)) throw new Error(printed.stdout + printed.stderr);
  const report = JSON.parse(read(join(folder, 'contract-report/report.json')));
  return {
    openapi: cli(['openapi', '--release', release]).stdout,
    dashboard,
    suite: printed.stdout + JSON.stringify(report.coverage) + read(join(folder, 'contract-report/choices.yaml')),
    mcp: await askTools(folder, release),
    seed: read(join(folder, 'openapi/seed.schema.json')),
    control: read(join(folder, 'openapi/control.json')),
    types: ['openapi/openapi.d.ts', 'dist/service/contract/choices.d.ts', 'dist/mock/control/operations.d.ts']
      .map((file) => read(join(folder, file)))
      .join(''),
  };
};

/** Runs the tests, renewing golden texts. @returns the results, by name and status. */
const test = (folder) => {
  run('git', ['init', '-q'], { cwd: folder });
  const report = join(folder, 'coverage/drill.json');
  const flags = ['--update', '--reporter=json', `--outputFile=${report}`];
  run('npx', ['vitest', 'run', ...TESTS, ...SLOW, ...flags], { cwd: folder, failing: true, env: { CI: '' } });
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ name, assertionResults, message }) =>
    assertionResults.length > 0 ? assertionResults : [{ fullName: `${name}: ${message}`, status: 'failed' }],
  );
};

const [, , ...wanted] = process.argv;
const chosen = Object.entries(DRILLS).filter(([name]) => wanted.length === 0 || wanted.some((one) => name.includes(one)));
if (chosen.length === 0) throw new Error(`there is no such drill: ${Object.keys(DRILLS).join(', ')}`);
const folder = copied();
const problems = [];
const RELEASED = [...chosen, ['a release', RELEASE]];
const check = (drills, surfaces, at, without) => {
  for (const [name, { shows }] of drills)
    for (const [surface, text] of Object.entries(shows))
      if (surface !== without && !surfaces[surface].includes(text))
        problems.push(`${name}: the ${surface} at ${at} lacks ${text}`);
};
for (const [, { edits }] of chosen) edit(folder, edits);
run('npm', ['run', 'build'], { cwd: folder });
// The types are those of a release.
check(chosen, await surfacesAt(folder, 'next'), 'next', 'types');
const latest = await surfacesAt(folder, '1.3');
for (const [name, { shows, hidden = [] }] of chosen)
  for (const surface of hidden)
    if (latest[surface].includes(shows[surface]))
      problems.push(`${name}: the ${surface} has ${shows[surface]} before a release does`);
edit(folder, RELEASE.edits);
run('node', ['documents/generate.mjs', '--freeze'], { cwd: folder });
run('npm', ['run', 'build'], { cwd: folder });
check(RELEASED, await surfacesAt(folder, '1.4'), '1.4');
for (const project of ['tsconfig.pure.json', 'tsconfig.test.json']) run('npx', ['tsc', '-p', project], { cwd: folder });
const results = test(folder);
for (const [name, { ceiling, edits, named = [] }] of RELEASED) {
  const touched = Object.keys(edits);
  const about = results.filter(({ fullName }) => named.some((one) => fullName.includes(one))).length;
  console.log(`${name}: ${touched.length} of at most ${ceiling} files by hand (${touched.join(', ')}), ${about} tests about it`);
  if (touched.length > ceiling) problems.push(`${name}: more than ${ceiling} files`);
  for (const one of named)
    if (!results.some(({ fullName }) => fullName.includes(one))) problems.push(`${name}: no test is about ${one}`);
}
for (const { fullName, status, failureMessages = [] } of results)
  if (status === 'failed') problems.push(`failed: ${fullName}\n  ${failureMessages[0]?.split('\n')[0] ?? ''}`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
