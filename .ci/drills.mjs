// Makes the changes that a newcomer will make, in a copy of the tree, and counts the files that each of them touches by hand.
// `node .ci/drills.mjs [name…]`: builds the copy, runs the tests of the rooms that were touched, and fails when one of them fails or a
// ceiling is broken. All changes are made in one copy; with names, only those.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './tools.mjs';

/** Puts a text behind the first match of another. */
const behind = (match, more) => (text) => text.replace(match, (found) => found + more);
const all =
  (...changes) =>
  (text) =>
    changes.reduce((before, change) => change(before), text);

const LAST_OF = {
  tasks: /\n {2}status: first\.preset\(TaskStatus,.*/,
  teams: /\n {2}members: first\.derived\(.*/,
};
const fieldOf = (kind, name, stated, ...besides) => ({
  ceiling: 1,
  edits: { 'src/service/contract/resources.ts': all(behind(LAST_OF[kind], `\n  ${name}: since('next').${stated},`), ...besides) },
  named: [`${kind}.${name}`],
});
const field = (name, ...stated) => fieldOf('tasks', name, ...stated);

/**
 * `edits`: the files that are touched by hand, at most `ceiling`. `tests`: the tests that had to change.
 * `named`: what the names of tests must hold afterwards, so that what was changed is what was tested.
 */
const DRILLS = {
  'a release 1.4': {
    ceiling: 1,
    edits: {
      'src/service/contract/releases.ts': behind(
        /'1\.3': \{[\s\S]*?\n {2}\},/,
        "\n  '1.4': { version: '1.4.0', date: 'March 2025', says: ['nothing that shows'] },",
      ),
    },
    named: ['at v1.4'],
  },
  'a field that is a number': field('points', "optional(integer({ minimum: 0, description: 'How big it is.', examples: [3] }))"),
  'a field that is text': field('summary', "optional(text(80, 'In one line.', 'Notes for the release'))"),
  'a field that is a list of ids': field(
    'watcher_ids',
    "preset(array(userId, { description: 'Who is told.' }), [], { refers: 'users' })",
  ),
  'a field that is a fraction': fieldOf(
    'teams',
    'effort',
    "optional(number({ minimum: 0, description: 'In days.', examples: [0.5] }))",
    behind(/\bnullable,/, ' number,'),
  ),
  'a field that is true or false': fieldOf(
    'teams',
    'archived',
    "preset(boolean({ description: 'Whether it is put away.' }), false)",
  ),
  'a field that starts with something and may be nothing': fieldOf(
    'teams',
    'mood',
    "preset(nullable(oneOf(['good', 'bad'], { description: 'How it goes.', examples: ['bad'] })), 'good')",
  ),
  'a field that is a list of texts': fieldOf(
    'teams',
    'labels',
    "preset(array(string({ maxLength: 20 }), { description: 'Words to find it by.', examples: [['tax']] }), [])",
  ),
  'a field that is a list of choices': fieldOf(
    'teams',
    'channels',
    "preset(array(oneOf(['mail', 'chat']), { description: 'Where it is told.', examples: [['mail']] }), [])",
  ),
  'a field that is a list of times': fieldOf(
    'teams',
    'reminded_at',
    "preset(array(time('A reminder.'), { description: 'When it was reminded of.', examples: [[]] }), [])",
  ),
  'an operation': {
    ceiling: 2,
    edits: {
      'src/service/contract/operations.ts': all(
        behind("} from './choices.ts';", "\nimport { patch } from './fields.ts';"),
        behind('\n  type RESOURCES,', '\n  TEAMS,'),
        behind(
          /\n {4}getTeam: \{[\s\S]*?\n {4}\},/,
          `
    updateTeam: {
      call: 'PATCH /teams/{team_id}',
      summary: 'Update a team',
      scope: 'team-scope',
      since: 'next',
      body: patch(TEAMS),
      response: ENVELOPES.TeamDetailResponse,
      open: ['team-scope'],
    },`,
        ),
      ),
      'src/service/http/handlers/teams.ts': all(
        behind("showTeamDetail } from './show.ts';", "\nimport { applyPatch } from './update.ts';"),
        behind(
          /\n {2}getTeam: .*\n/,
          "\n  updateTeam: (view, { found, body }) => showTeamDetail(view)(applyPatch(view, 'teams', found, body)),\n",
        ),
      ),
    },
    named: ['updateTeam answers 200', 'updateTeam answers 422'],
  },
  'an open point': {
    ceiling: 1,
    edits: {
      'src/service/contract/choices.ts': behind(
        'export const CHOICES = {',
        `
  'team-create-status': endpoints('next')(
    'Which status has the response to POST /teams?',
    { '201': '201', '200': '200' },
    'The general rule: 201 for creation.',
    { status: 'POST /teams', ours: '201' },
  ),`,
      ),
    },
    named: ['team-create-status'],
  },
  'a control call with its button': {
    ceiling: 3,
    edits: {
      'src/mock/control/operations.ts': behind(
        /\n {4}getClock: .*/,
        "\n    stopClock: { call: 'POST /clock/stop', summary: 'Stop the clock', response: is.ClockNow },",
      ),
      'src/mock/control/calls/clock.ts': behind(
        /\n {2}getClock: .*/,
        "\n  stopClock: ({ instance }) => setClock(instance, { mode: 'frozen' }),",
      ),
      'src/dashboard/pages/clock.tsx': all(
        behind('says="Set the time" />', '<BarForm context={context} action="stop" label="Stop" fields={[]} says="Stop" />'),
        behind('\n  actions: {', "\n    stop: calling('stopClock', ({ now }) => now),"),
      ),
    },
    tests: {
      'src/mock/control/control.test.ts': behind(
        "const call: Asking['service'] = (...args) => play.service(...args);",
        "\n\ntest('the clock stops', async () => expect((await ask('POST', '/clock/stop')).body.mode).toBe('frozen'));",
      ),
      'src/mock/control/transcript.test.ts': behind(
        "await control('GET', '/clock');",
        "\n    await control('POST', '/clock/stop');",
      ),
      'src/dashboard/pages/pages.test.ts': (text) =>
        `${text}\ntest('the clock stops at a button', async () => {
  const { act, mock } = await start();
  await act('/dashboard/clock', { do: 'stop' });
  expect(mock.clock.mode).toBe('frozen');
});\n`,
    },
    named: ['the clock stops', 'the clock stops at a button'],
  },
  'a page of the dashboard': {
    ceiling: 2,
    edits: {
      'src/dashboard/pages/help.tsx': () => `// Help: where to read on.
import type { Page } from '../page.ts';
import { Card, PageHead } from '../parts.tsx';

export const help: Page = {
  id: 'help',
  path: '/dashboard/help',
  title: 'Help',
  nav: { label: 'Help', icon: 'docs', key: 'h', group: 'Behaviour' },
  live: [],
  examples: { help: '/dashboard/help' },
  render: () => (
    <>
      <PageHead title="Help" says="Where to read on." />
      <Card title="Reference">/docs</Card>
    </>
  ),
};
`,
      'src/dashboard/pages.ts': all(
        behind("from './pages/faults.tsx';", "\nimport { help } from './pages/help.tsx';"),
        behind('\n  choices,', '\n  help,'),
      ),
    },
    named: ["'help' is one page", "'help' shows every text as text"],
  },
};

/** The rooms that these changes touch. */
const ROOMS = ['service', 'mock/control', 'mock/seed', 'dashboard', 'fields.test.ts', 'architecture.test.ts'];
const SLOW = ['**/*.browser.test.ts', '**/fuzz.test.ts'];

const copied = () => {
  const folder = mkdtempSync(join(tmpdir(), 'wm-mock-drill-'));
  const files = run('git', ['ls-files', '-co', '--exclude-standard', '-z']).stdout.split('\0').filter(Boolean);
  for (const file of files) cpSync(join(ROOT, file), join(folder, file));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** @throws Error when a change no longer fits its file. */
const edit = (folder, edits) => {
  for (const [file, change] of Object.entries(edits)) {
    const before = read(join(folder, file));
    const after = change(before);
    if (after === before) throw new Error(`${file}: the drill no longer fits it; bring .ci/drills.mjs up to date`);
    writeFileSync(join(folder, file), after);
  }
};

/** Runs the tests, renewing golden texts. @returns the results, by name and status, and which golden texts had to change. */
const test = (folder) => {
  const git = (...args) => run('git', ['-c', 'user.name=drill', '-c', 'user.email=drill@example.test', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'Before the tests');
  const report = join(folder, 'coverage/drill.json');
  const flags = [...SLOW.flatMap((glob) => ['--exclude', glob]), '--update', '--reporter=json', `--outputFile=${report}`];
  const rooms = ROOMS.map((room) => `src/${room}`);
  run('npx', ['vitest', 'run', ...rooms, ...flags], { cwd: folder, failing: true, env: { CI: '' } });
  const results = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ name, assertionResults, message }) =>
    assertionResults.length > 0 ? assertionResults : [{ fullName: `${name}: ${message}`, status: 'failed' }],
  );
  const golden = git('status', '--porcelain', '-uall', '--', 'src').stdout.split('\n').filter(Boolean);
  return { results, golden: golden.map((line) => line.slice(3)) };
};

const wanted = process.argv.slice(2);
const chosen = Object.entries(DRILLS).filter(([name]) => wanted.length === 0 || wanted.some((one) => name.includes(one)));
if (chosen.length === 0) throw new Error(`there is no such drill: ${Object.keys(DRILLS).join(', ')}`);
const folder = copied();
try {
  const problems = [];
  for (const [, { edits, tests = {} }] of chosen) edit(folder, { ...edits, ...tests });
  run('npm', ['run', 'build'], { cwd: folder });
  for (const project of ['tsconfig.pure.json', 'tsconfig.test.json']) run('npx', ['tsc', '-p', project], { cwd: folder });
  const { results, golden } = test(folder);
  for (const [name, { ceiling, edits, tests = {}, named }] of chosen) {
    const touched = Object.keys(edits);
    const changed = Object.keys(tests);
    const about = results.filter(({ fullName }) => named.some((one) => fullName.includes(one))).length;
    console.log(
      `${name}: ${touched.length} of at most ${ceiling} files by hand (${touched.join(', ')}), ${about} tests about it`,
    );
    if (changed.length > 0) console.log(`  tests that had to change: ${changed.join(', ')}`);
    if (touched.length > ceiling) problems.push(`${name}: more than ${ceiling} files`);
    for (const one of named) {
      if (!results.some(({ fullName }) => fullName.includes(one))) problems.push(`${name}: no test is about ${one}`);
    }
  }
  console.log(`golden texts that had to change: ${golden.length}${golden.map((file) => `\n  ${file}`).join('')}`);
  for (const { fullName, status, failureMessages = [] } of results)
    if (status === 'failed') problems.push(`failed: ${fullName}\n  ${failureMessages[0]?.split('\n')[0] ?? ''}`);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
