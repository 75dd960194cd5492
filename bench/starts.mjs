// Spawn to first 200, and memory at rest: wm-mock, the least servers there are, and the peers, in turn.
import { fileURLToPath } from 'node:url';
import { startServer } from './processes.mjs';
import { writeExplicitSeed, writeGeneratedSeed } from './seeds.mjs';
import { authorized, here, mockArgs, peerServer, rest } from './targets.mjs';

const CROWD = fileURLToPath(new URL('../fixtures/crowd.yaml', import.meta.url));
const crowdKey = { path: '/v1/users/me', headers: { authorization: 'Bearer wm_crowd_read' } };

/** Each contestant `rounds` times, peers `peerRounds` times; `crowd.yaml` `crowds` times. @returns milliseconds by round. */
export async function measureStarts({ cli, folder, rounds, peerRounds, crowds, peers, files, say }) {
  const fixed = (name, args, probe) => ({ name, server: () => ({ name, args, probe }), rounds });
  const contestants = [
    fixed('hello', [here('hello.mjs')], { path: '/' }),
    fixed('bare', [here('bare.mjs')], { path: '/' }),
    fixed('explicit', mockArgs(cli, writeExplicitSeed(folder, '1k')), authorized),
    fixed('generated', mockArgs(cli, writeGeneratedSeed(folder, '1k')), authorized),
    ...peers.map((peer) => ({
      name: `peer ${peer.name}`,
      server: () => peerServer({ peer, folder, size: '1k', files }),
      rounds: peerRounds,
    })),
  ];
  const starts = Object.fromEntries(contestants.map(({ name }) => [name, []]));
  const memory = {};
  const failed = {};
  for (let round = 0; round < rounds; round++) {
    say(`start ${round + 1} of ${rounds}`);
    for (const { name, server, rounds: own } of contestants) {
      if (round >= own || failed[name]) continue;
      try {
        const running = await startServer(await server());
        starts[name][round] = running.startMs;
        if (round === 0) {
          await rest();
          memory[name] = running.memory();
        }
        await running.stop();
      } catch (error) {
        if (!name.startsWith('peer ')) throw error;
        failed[name] = error.message.slice(0, 200);
        delete starts[name];
      }
    }
  }
  const crowdMs = [];
  for (let round = 0; round < crowds; round++) {
    say(`crowd.yaml, start ${round + 1} of ${crowds}`);
    const running = await startServer({ name: 'crowd.yaml', args: mockArgs(cli, CROWD), probe: crowdKey });
    crowdMs.push(running.startMs);
    await running.stop();
  }
  return { starts, memory, crowdMs, failed, rounds };
}
