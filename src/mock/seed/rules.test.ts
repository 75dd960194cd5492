// Each rule that no schema says, and each text that is no seed: where that shows, and in which words.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkSeed, readSeed } from './read.ts';
import type { SeedError } from './seed-error.ts';

const options = { name: 's', now: Date.parse('2025-01-20T09:00:00Z') };
const saidOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'sound',
    (error: SeedError) => error.message,
  );

/** Each input is in the golden file, above what is said of it: a new one is added there. */
const goldenOf = (name: string) => readFileSync(new URL(`golden/${name}.txt`, import.meta.url), 'utf8');

test('each rule beyond the shape is told where it is broken', async () => {
  const rows = [];
  const rules = [...goldenOf('rules').matchAll(/^# (.*)\n(.*)$/gm)];
  expect(rules.length).toBeGreaterThan(20);
  for (const [, name, text] of rules) rows.push(`# ${name}\n${text}\n${await saidOf(readSeed(text!, options))}\n`);
  await expect(rows.join('')).toMatchFileSnapshot('golden/rules.txt');
});

test('two million generated records are the most', async () => {
  const wanted = (projects: number, tasks_per_project: number, comments_per_task: number) =>
    saidOf(
      checkSeed(
        {
          workspaces: [
            { id: 'ws', users: [{}], api_keys: [{}], generate: { projects, tasks_per_project, comments_per_task }, nmae: 1 },
          ],
        },
        options,
      ),
    );
  expect((await wanted(2, 1_000_000, 0)).split('\n')).toHaveLength(1);
  expect((await wanted(2000, 500, 1)).split('\n')).toHaveLength(1);
  expect((await wanted(2000, 500, 2)).split('\n')[1]).toBe(
    's: workspaces[0].generate: impossible, expected at most 2000000 tasks and comments, got 3000000',
  );
});

test('each text that is no seed is refused at the place where that shows', async () => {
  const rows = [];
  const texts = [...goldenOf('texts').matchAll(/^# (.*?): (".*")$/gm)].map(([, name, text]) => [name, JSON.parse(text!)]);
  expect(texts.length).toBeGreaterThan(40);
  for (const [name, text] of texts) rows.push(`# ${name}: ${JSON.stringify(text)}\n${await saidOf(readSeed(text, options))}\n`);
  await expect(rows.join('')).toMatchFileSnapshot('golden/texts.txt');
});
