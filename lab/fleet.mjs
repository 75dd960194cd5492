// Hosted worlds on three machines with a bucket, all on this one: node lab/fleet.mjs <part> [--changes 20000]
// Parts: suite, transcript, crash (--how kill, disk, roll or bucket), hook, jobs (--jobs 1000), attack.
import { parseArgs } from 'node:util';
import { attack } from './fleet/attack.mjs';
import { crash } from './fleet/crash.mjs';
import { hook } from './fleet/hook.mjs';
import { jobs } from './fleet/jobs.mjs';
import { Fleet } from './fleet/machines.mjs';
import { suite, transcript } from './fleet/same.mjs';

const PARTS = { suite, transcript, crash, hook, jobs, attack };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changes: { type: 'string', default: '20000' },
    jobs: { type: 'string', default: '1000' },
    how: { type: 'string', multiple: true, default: ['kill', 'disk', 'roll', 'bucket'] },
  },
});
const parts = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = parts.filter((part) => !(part in PARTS));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);

for (const part of parts) {
  for (const how of part === 'crash' ? values.how : [undefined]) {
    const begun = performance.now();
    const fleet = await Fleet.open(3, part === 'attack' ? { receivers: [] } : {});
    const problems = await PARTS[part](fleet, { ...values, how }).catch(({ stack }) => [stack]);
    const failed = problems.length > 0;
    await fleet.close({ keep: failed });
    const name = how === undefined ? part : `${part} ${how}`;
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(`${name}: ${failed ? `FAILED, see ${fleet.folder}` : 'holds'} (${seconds} s)`);
    for (const problem of problems.slice(0, 20)) console.error(`  ${problem}`);
    if (failed) process.exitCode = 1;
  }
}
