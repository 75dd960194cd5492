// The figures of the last run on this machine. What moved since is named; it fails nothing, for machines have moods.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a figure may move by between two runs, as a factor. */
const MOVED = 1.15;

/** @returns a line for each figure that went up or down by more, or that only one of the two runs has. */
export const movedSince = (last, rows) =>
  rows.flatMap(({ what, value, unit }) => {
    const before = last[what];
    if (!Number.isFinite(before) || !Number.isFinite(value))
      return Number.isFinite(before) === Number.isFinite(value)
        ? []
        : [`${what}: ${before ?? 'not measured'}, now ${value ?? 'not measured'}`];
    const factor = value / before;
    if (factor < MOVED && factor > 1 / MOVED) return [];
    return [`${what}: ${before.toPrecision(3)} ${unit}, now ${value.toPrecision(3)} ${unit} (×${factor.toFixed(2)})`];
  });

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'wm-mock/bench');

/** A machine is its processor, its cores, its Node, and how long is measured. */
const fileOf = ({ cpu, cores, node, place, rounds }) =>
  join(CACHE, `${createHash('sha256').update([cpu, cores, node, place, rounds].join()).digest('hex').slice(0, 16)}.json`);

/** Names what moved since the last run on this machine, and keeps the figures for the next one. */
export const compareWithLast = (how, rows, say = console.log) => {
  const file = fileOf(how);
  let last;
  try {
    last = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    say(`\nNothing to compare with: no run on this machine has left its figures in ${dirname(file)}.`);
  }
  const moved = last ? movedSince(last, rows) : [];
  if (last) say(`\nSince the last run on this machine ${moved.length} of ${rows.length} figures moved by more than ${MOVED}.`);
  for (const line of moved) say(`  ${line}`);
  mkdirSync(CACHE, { recursive: true });
  const figures = rows.filter(({ value }) => Number.isFinite(value)).map(({ what, value }) => [what, value]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(figures)));
};
