// Interleaved rounds of load: within a round all targets of one scenario follow each other directly.

/** A server that answers fewer than this many requests a second on one connection is not asked on ten: they would only queue. */
const SLOW = 30;

/**
 * Every scenario on every target. The first target changes from round to round: the machine's speed drifts, a ratio of neighbours does not.
 * Peers take part in `peerRounds` of the rounds. No round begins after `untilMs`, but three are always made.
 * @returns by scenario, a list of what each target did: `{ target, busy, alone, failed }`, slices by round.
 */
export async function measureLoad({ targets, scenarios, rounds, peerRounds, ms, untilMs, generator, say }) {
  const run = async (scenario, target, connections, sliceMs) => {
    const before = target.cpuMs();
    const numbers = await generator.run({
      name: `${scenario.name} on ${target.name}`,
      port: target.port,
      requests: target.requests[scenario.name],
      expect: target.expect[scenario.name],
      connections,
      ms: sliceMs,
      ...(scenario.writes && target.most && { most: target.most }),
    });
    const cpuMs = target.cpuMs() - before;
    if (scenario.writes) await target.tidy?.();
    return {
      ...numbers,
      cpuMicros: (1000 * cpuMs) / numbers.completed,
      share: (cpuMs * numbers.perSecond) / (1000 * numbers.completed),
    };
  };

  const rows = scenarios.flatMap((scenario) =>
    targets
      .filter((target) => target.requests[scenario.name])
      .map((target) => ({ scenario: scenario.name, target, busy: [], alone: [], failed: undefined })),
  );

  say('warming up');
  for (const { scenario, target } of rows) {
    const known = scenarios.find(({ name }) => name === scenario);
    if (target.kind !== 'peer') await run(known, target, 10, ms.warm);
  }

  const withPeers = new Set(Array.from({ length: peerRounds }, (_, i) => Math.floor((i * rounds) / peerRounds)));
  let made = 0;
  for (let round = 0; round < rounds; round++) {
    if (round >= 3 && performance.now() > untilMs) break;
    made += 1;
    for (const scenario of scenarios) {
      say(`round ${round + 1} of ${rounds}: ${scenario.name}`);
      const among = rows.filter((row) => row.scenario === scenario.name && !row.failed);
      const present = among.filter(({ target }) => target.kind !== 'peer' || withPeers.has(round));
      const turn = present.map((_, place) => present[(place + round) % present.length]);
      for (const row of turn)
        await onPeerFailure(row, async () => (row.alone[round] = await run(scenario, row.target, 1, msOf(row, ms).alone)));
      for (const row of turn) {
        if (row.failed) continue;
        const slow = row.target.kind === 'peer' && row.alone[round].perSecond < SLOW;
        if (slow) row.busy[round] = { ...row.alone[round], slow };
        else await onPeerFailure(row, async () => (row.busy[round] = await run(scenario, row.target, 10, msOf(row, ms).busy)));
      }
    }
  }
  return { rows, rounds: made };
}

const msOf = ({ target }, ms) => (target.kind === 'peer' ? ms.peer : ms);

/** A peer that fails under load keeps its row, which says so; anything else ends the run. */
async function onPeerFailure(row, act) {
  try {
    await act();
  } catch (error) {
    if (row.target.kind !== 'peer') throw error;
    row.failed = error.message.slice(0, 200);
  }
}
