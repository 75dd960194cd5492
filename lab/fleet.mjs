// Hosted worlds on three machines with a bucket, all on this one: node lab/fleet.mjs <part> [--changes 20000] [--keep]
// Parts: suite, transcript, crash (--how kill, disk, roll or bucket), hook, jobs (--jobs 1000), attack.
import { parseArgs } from 'node:util';
import { Fleet } from './fleet/machines.mjs';

/** By part, its file. */
const PARTS = { suite: 'same', transcript: 'same', crash: 'crash', hook: 'hook', jobs: 'jobs', attack: 'attack' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changes: { type: 'string', default: '20000' },
    jobs: { type: 'string', default: '1000' },
    how: { type: 'string', multiple: true, default: ['kill', 'disk', 'roll', 'bucket'] },
    keep: { type: 'boolean', default: false },
  },
});
const parts = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = parts.filter((part) => !(part in PARTS));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);

for (const part of parts) {
  const { [part]: run, options } = await import(`./fleet/${PARTS[part]}.mjs`);
  const variants = part === 'crash' ? values.how : [undefined];
  for (const how of variants) {
    const begun = performance.now();
    const fleet = await Fleet.open(3, options);
    let problems;
    try {
      problems = await run(fleet, { ...values, how });
    } catch (error) {
      problems = [error.stack];
    }
    const failed = problems.length > 0;
    await fleet.close({ keep: failed || values.keep });
    const name = how === undefined ? part : `${part} ${how}`;
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(`${name}: ${failed ? `FAILED, see ${fleet.folder}` : 'holds'} (${seconds} s)`);
    for (const problem of problems.slice(0, 20)) console.error(`  ${problem}`);
    if (failed) process.exitCode = 1;
  }
}
