// Interleaved rounds of load, by autocannon: within a round all servers of one scenario follow each other directly.
import autocannon from 'autocannon';
import { requestOf, SCENARIOS } from './scenarios.mjs';
import { least, median, ratio } from './statistics.mjs';

const CONNECTIONS = 10;

/** A server is warm when a slice is not this much faster than the fastest before it; so many slices are given to it at most. */
const WARM = { gain: 0.95, slices: 10 };

/**
 * One slice of load. What counts is the server's own CPU time for a request, `micros`: it hardly feels the load generator, nor other
 * programs on the machine. Where the system does not tell it, the time that passed stands in for it. `p50` is what half of all
 * requests waited at most, milliseconds.
 * @throws Error when a response has another status than it should, or none comes
 */
const slice = async (server, name, ms) => {
  const scenario = SCENARIOS[name];
  const request = requestOf(scenario);
  const before = server.cpuMs();
  const waited = [];
  const run = autocannon({
    url: new URL(server.base).origin,
    connections: CONNECTIONS,
    duration: ms / 1000,
    sampleInt: 50,
    requests: server.paths[name].map((path) => ({
      ...request,
      path: new URL(server.base + path).href.replace(/^http:..[^/]+/, ''),
    })),
  });
  run.on('response', (_client, _status, _bytes, ms) => waited.push(ms));
  const { requests, errors, timeouts, statusCodeStats, duration } = await run;
  const cpuMs = server.cpuMs() - before;
  const { total } = requests;
  const right = statusCodeStats[scenario.body ? 201 : 200]?.count ?? 0;
  if (total === 0 || right < total || errors + timeouts > 0)
    throw new Error(`${name} on ${server.name}: ${right} of ${total} answered rightly, ${errors} errors, ${timeouts} timeouts`);
  if (scenario.body) await server.tidy?.();
  return {
    perSecond: total / duration,
    micros: (1000 * (Number.isNaN(cpuMs) ? 1000 * duration : cpuMs)) / total,
    p50: median(waited),
  };
};

/** Slices until the compiler of a server has done its work: what is half warm tells of its compiler, not of its data. */
const warm = async (server, name, ms) => {
  let best = Number.POSITIVE_INFINITY;
  for (let slices = 0; slices < WARM.slices; slices++) {
    const { micros } = await slice(server, name, ms);
    if (micros > best * WARM.gain) return;
    best = Math.min(best, micros);
  }
};

/**
 * Every scenario on every server. The order changes from round to round: the machine's speed drifts, a ratio of neighbours does not.
 * @returns by scenario and server, the slices of all rounds; a peer that fails under load has `failed` instead of its later slices
 */
export const measureLoad = async ({ servers, scenarios, rounds, ms, say }) => {
  const rows = scenarios.flatMap((name) =>
    servers.filter(({ paths }) => paths[name]).map((server) => ({ name, server, slices: [], failed: undefined })),
  );
  for (let round = -1; round < rounds; round++) {
    for (const name of scenarios) {
      say(round < 0 ? `warming up: ${name}` : `round ${round + 1} of ${rounds}: ${name}`);
      const present = rows.filter((row) => row.name === name && !row.failed);
      const turn = present.map((_, place) => present[(place + Math.max(0, round)) % present.length]);
      for (const row of turn) {
        try {
          if (round < 0) await warm(row.server, name, ms);
          else row.slices.push(await slice(row.server, name, ms));
        } catch (error) {
          if (row.server.kind !== 'peer') throw error;
          row.failed = error.message;
        }
      }
    }
  }
  return rows;
};

/**
 * From slices to figures, by scenario and server: the best round of each.
 * `ofLimit`: how much of limit (c)'s speed is left, at most 1 unless less is done. `growth` and `p50Growth`: beside the same server with 1k tasks.
 */
export const summarize = (rows) => {
  const found = {};
  const micros = ({ slices }) => slices.map((one) => one.micros);
  const p50 = ({ slices }) => slices.map((one) => one.p50);
  for (const row of rows) {
    const { name, server, slices, failed } = row;
    const beside = (fits) => rows.find((one) => one.name === name && one !== row && fits(one.server));
    const limit = beside(({ kind }) => kind === 'limit');
    const small = beside(({ kind, family, size }) => kind === server.kind && family === server.family && size === '1k');
    found[name] ??= {};
    found[name][server.name] = failed
      ? { failed }
      : {
          perSecond: Math.max(...slices.map(({ perSecond }) => perSecond)),
          micros: least(micros(row)),
          ...(limit && { ofLimit: ratio(micros(limit), micros(row)) }),
          ...(small &&
            !small.failed &&
            server.size && { growth: ratio(micros(row), micros(small)), p50Growth: ratio(p50(row), p50(small)) }),
        };
  }
  return found;
};
