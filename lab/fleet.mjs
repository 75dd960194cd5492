// Hosted worlds on three machines with a bucket, all on this one: node lab/fleet.mjs <part> [--changes 20000] [--keep]
// Parts: suite, transcript, crash (--how kill, disk, roll or bucket), hook, jobs (--jobs 1000), attack.
import { parseArgs } from 'node:util';
import { Fleet } from './fleet/machines.mjs';

const PARTS = {
  suite: () => import('./fleet/same.mjs'),
  transcript: () => import('./fleet/same.mjs'),
  crash: () => import('./fleet/crash.mjs'),
  hook: () => import('./fleet/hook.mjs'),
  jobs: () => import('./fleet/jobs.mjs'),
  attack: () => import('./fleet/attack.mjs'),
};

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
  const { [part]: run, options } = await PARTS[part]();
  for (const how of part === 'crash' ? values.how : [undefined]) {
    const begun = performance.now();
    const fleet = await Fleet.open(3, options);
    const problems = await run(fleet, { ...values, how }).catch(({ stack }) => [stack]);
    const failed = problems.length > 0;
    await fleet.close({ keep: failed || values.keep });
    const name = how === undefined ? part : `${part} ${how}`;
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(`${name}: ${failed ? `FAILED, see ${fleet.folder}` : 'holds'} (${seconds} s)`);
    for (const problem of problems.slice(0, 20)) console.error(`  ${problem}`);
    if (failed) process.exitCode = 1;
  }
}
