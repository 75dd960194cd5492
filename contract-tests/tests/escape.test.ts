// Printed and written texts: one function for each kind of reader, and nothing that steers one or tells a secret.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fetch } from '../engine/terms.ts';
import * as escapes from '../report/escape.ts';
import { terminal } from '../report/terminal.ts';
import { freshFolder, type RunOptions, runOn } from './runs.ts';

const folder = freshFolder();

/** Every text that a run leaves or prints. */
const everythingOf = async (options: RunOptions) => {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const files = { reportDir: folder.path, summaryFile: folder.at('summary.md') };
  const report = await runOn([], { profile: 'full', ...files, log: say, annotate: say, ...options });
  const names = readdirSync(folder.path, { recursive: true }).map((name) => folder.at(String(name)));
  const texts = names.filter((name) => statSync(name).isFile()).map((name) => readFileSync(name, 'utf8'));
  return { report, printed: [...lines, terminal(report)], texts };
};

const STEERING = /[^\P{Cc}\n\t]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/u;
const HOSTILE =
  '\u001b[2J\u001b]0;x\u0007\u202e\u2066\u200f\u061c\u2028\u2029\u0085\u009b31m\u007f\0\r\n::error::forged\n ##[error]<b>&"\'%0A--]]>';

test.each(Object.entries(escapes))('%s leaves nothing that steers a reader', (name, made) => {
  const shown = made(HOSTILE);
  expect(shown).not.toMatch(STEERING);
  expect(shown).toMatch(/(\\|&#92;)u001b/);
  expect(made('plain text with ümlauts and 漢字')).toBe('plain text with ümlauts and 漢字');
  if (name !== 'forMarkup') expect(shown.split('\n')).toHaveLength(1);
  else expect(shown).not.toMatch(/[<>"']|&(?!#39;|\w+;)/);
});

test('a code of a target steers no terminal, log, annotation or artefact', async () => {
  const nasty =
    (next: Fetch): Fetch =>
    async (url, init) => {
      const response = await next(url, init);
      if (response.status !== 404) return response;
      const error = { code: HOSTILE, message: HOSTILE, details: { [HOSTILE]: HOSTILE } };
      return Response.json({ error }, { status: 404, headers: response.headers });
    };
  const { report, printed, texts } = await everythingOf({ through: nasty });
  expect(report.failures.length).toBeGreaterThan(0);
  for (const text of [...printed, ...texts.filter((one) => !one.startsWith('{'))]) expect(text).not.toMatch(STEERING);
  for (const text of printed)
    for (const line of text.split('\n')) expect(line.trim()).not.toMatch(/^(::(?!(error|warning|notice) title=)|##\[)/);
});

test.each([
  ['a password', { baseUrl: 'http://user1:s3cretpw@127.0.0.1/v1' }],
  ['an encoded password', { baseUrl: 'http://user1:s3%63retpw@127.0.0.1/v1' }],
  ['a token of the query', { baseUrl: 'http://127.0.0.1/v1?token=s3cretpw' }],
  ['a token of the fragment', { baseUrl: 'http://127.0.0.1/v1#a=s3cretpw' }],
  ['the password of what is no URL', { baseUrl: 'http://user:s3cretpw@a b/v1' }],
  ['a token of the control API', { controlUrl: 'http://127.0.0.1:9/_mock?token=s3cretpw' }],
  ['a password of the control API', { controlUrl: 'http://a:s3cretpw@127.0.0.1:9/_mock' }],
  ['a token beside the control API', { controlUrl: 'http://127.0.0.1:9/s3cretpw', controlToken: 's3cretpw' }],
  ['a token of the receiver', { receiverUrl: 'http://127.0.0.1:9/hook?sig=s3cretpw', only: ['WM-HOOK'] }],
] as const)('%s is told nowhere', async (_, options) => {
  const { report, printed, texts } = await everythingOf(options);
  for (const text of [JSON.stringify(report), ...printed, ...texts]) expect(text).not.toMatch(/s3(c|%63)retpw/);
});

test('each kind of text has one function, and no file escapes or prints for itself', () => {
  const root = join(import.meta.dirname, '..');
  const sources = (readdirSync(root, { recursive: true }) as string[]).filter((file) => /^(?!tests|judge).*\.ts$/.test(file));
  const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
  // The shell of a script prints by itself, and escapes there by the same class of characters.
  const others = sources.filter((file) => !/(escape|shell|steering)\.ts$/.test(file));
  const own = others.filter((file) => file.startsWith('report/') && /&lt;|&amp;|%0A|Bidi_Control/.test(textOf(file)));
  expect([own, others.filter((file) => /process\.std|console\.\w+\(/.test(textOf(file)))]).toEqual([[], ['vitest.ts']]);
  expect(textOf('report/shell.ts').match(/console\.log\(.*/g)).toHaveLength(2);
  const callersOf = (name: string) => sources.filter((file) => new RegExp(`import \\{[^}]*\\b${name}\\b`).test(textOf(file)));
  const callers = Object.fromEntries(Object.keys(escapes).map((name) => [name, callersOf(name).sort()]));
  expect(callers).toEqual({
    forTerminal: ['report/terminal.ts', 'suite.ts', 'vitest.ts'],
    forAnnotation: ['report/annotations.ts'],
    forProperty: ['report/annotations.ts'],
    forMarkup: ['cards', 'html', 'junit', 'markup', 'tables'].map((name) => `report/${name}.ts`),
    forMarkdown: ['report/summary.ts'],
    forComment: ['report/script.ts', 'report/write.ts'],
  });
});
