// A result as Markdown tables, the same on a terminal and on the page.
import { bars, missed } from './bar-tables.mjs';
import { digits, latency, milliseconds, perSecond, spread, table, times } from './format.mjs';

const scenariosOf = (result) => Object.entries(result.scenarios);
const sizesOf = (result) => Object.keys(result.worlds);

function how({ how, missing }) {
  const pinning = how.pinned ? 'servers on one core, the load generator on another' : 'no cores of their own';
  const lines = [
    `One run of ${how.minutes.toFixed(1)} minutes: ${how.rounds} interleaved rounds, ${how.cores} × ${how.cpu}, Node ${how.node}, ${pinning}.`,
  ];
  if (how.share !== undefined && how.share !== null)
    lines.push(`Asked as fast as it could answer, limit (c) had ${(100 * how.share).toFixed(0)} % of its core.`);
  for (const [name, reason] of Object.entries(missing)) lines.push(`**Not measured: ${name}.** ${reason.split('\n')[0]}`);
  return lines.join('\n\n');
}

function throughput(result) {
  const sizes = sizesOf(result);
  return [
    table(
      ['of limit (c)', ...sizes],
      scenariosOf(result).map(([name, row]) => [name, ...sizes.map((size) => spread(row.sizes[size].ofLimit))]),
    ),
    table(
      ['by CPU time', 'limit (c)', ...sizes],
      scenariosOf(result).map(([name, { limit, sizes: own }]) => [
        name,
        `${milliseconds(limit.cpuMicros)} µs`,
        ...sizes.map((size) => `${milliseconds(own[size].cpuMicros)} µs, ${times(own[size].byCpu.median)}`),
      ]),
    ),
    table(
      ['requests a second, p50 / p99 ms', 'bytes', 'limit (c)', ...sizes],
      scenariosOf(result).map(([name, { limit, sizes: own }]) => [
        name,
        String(own[sizes[0]].bytes),
        ...[limit, ...sizes.map((size) => own[size])].map(
          (one) => `${perSecond(one.perSecond)}, ${latency({ p50: one.p50Ms, p99: one.p99Ms })}`,
        ),
      ]),
    ),
  ].join('\n\n');
}

function growth(result) {
  const [, ...larger] = sizesOf(result);
  return table(
    ['one connection, p50 / p99 ms', 'limit (c)', ...sizesOf(result), ...larger.map((size) => `${size} ÷ 1k`)],
    scenariosOf(result).map(([name, { limit, sizes }]) => [
      name,
      ...[limit, ...sizesOf(result).map((size) => sizes[size])].map((one) =>
        latency({ p50: one.p50AloneMs, p99: one.p99AloneMs }),
      ),
      ...larger.map((size) => (sizes[size].growth ? spread(sizes[size].growth) : '')),
    ]),
  );
}

function peers(result) {
  const sizes = [...new Set(scenariosOf(result).flatMap(([, row]) => Object.values(row.peers).flatMap(Object.keys)))];
  if (sizes.length === 0) return 'The peers were not measured.';
  const cell = (one) => {
    if (!one) return '–';
    if (one.failed) return `**failed**: ${one.failed}`;
    return `${latency({ p50: one.p50AloneMs, p99: one.p99AloneMs })}, ${perSecond(one.perSecond)} (${times(one.ofLimit.median)})`;
  };
  const rows = scenariosOf(result).flatMap(([name, row]) => [
    [
      `**${name}**`,
      'wm-mock',
      ...sizes.map((size) => cell(row.sizes[size])),
      row.sizes['100k']?.growth ? times(row.sizes['100k'].growth.median) : '',
    ],
    ...Object.entries(row.peers).map(([peer, bySize]) => [
      '',
      `${peer} ${result.peers[peer].version}${result.peers[peer].stateful ? '' : ' (one example)'}`,
      ...sizes.map((size) => cell(bySize[size])),
      bySize['100k']?.growth ? times(bySize['100k'].growth.median) : '',
    ]),
  ]);
  return table(['p50 / p99 ms of one connection, requests a second (of limit (c))', '', ...sizes, '100k ÷ 1k'], rows);
}

function adversarial({ adversarial, engine }) {
  const overHttp = table(
    [`over HTTP, ${adversarial.size} tasks, one connection`, 'p50 ms', 'of the plain list'],
    Object.entries(adversarial.queries).map(([name, { p50Ms, ofPlain }]) => [name, milliseconds(p50Ms), spread(ofPlain)]),
  );
  const store = engine['100k'];
  if (!store) return overHttp;
  const micros = ({ p50, p99 }) => `${digits(p50)} / ${digits(p99)}`;
  const rows = [
    ['**any of the typical queries, one in ten calls a write**', micros(store.reads)],
    ...Object.entries(store.kinds).map(([name, one]) => [name, micros(one)]),
    ...Object.entries(store.adversarial).map(([name, one]) => [`*${name}*`, micros(one)]),
    ['an update, 16 shapes warm', micros(store.writes)],
  ];
  return [overHttp, table(['the store alone, 100k tasks', 'p50 / p99 µs'], rows)].join('\n\n');
}

const NAMES = {
  hello: 'Hono hello-world',
  bare: 'node:http hello-world',
  explicit: '**wm-mock**, 1k tasks written out',
  generated: 'wm-mock, 1k tasks generated',
};

function start({ start, peers: versions }) {
  const named = (name) => NAMES[name] ?? `${name.slice(5)} ${versions[name.slice(5)].version}`;
  const rows = Object.entries(start.servers).map(([name, one]) => [
    named(name),
    milliseconds(one.bestMs),
    milliseconds(one.medianMs),
    spread(one.ofHello),
    times(one.ofHelloByBest),
    one.memory ? milliseconds(one.memory) : '',
  ]);
  for (const [name, reason] of Object.entries(start.failed)) rows.push([named(name), `**failed**: ${reason}`, '', '', '', '']);
  const crowd = `\`crowd.yaml\`, 100,000 tasks generated: up in ${digits(start.crowdMs.median / 1000)} s (best ${digits(start.crowdMs.best / 1000)} s).`;
  return `${table(['spawn to first 200', 'best ms', 'median ms', 'of hello-world', 'by best', 'MB at rest'], rows)}\n\n${crowd}`;
}

function worlds(result) {
  const scenarios = scenariosOf(result);
  const bytes = Object.entries(result.engine).map(([size, { bytes }]) => [
    size,
    digits(bytes.rows),
    digits(bytes.sixShapes),
    digits(bytes.rows + bytes.sixShapes),
  ]);
  return [
    ...(result.limitMemory
      ? [
          `Limit (c) itself: ${milliseconds(result.limitMemory.memoryAtRest)} MB at rest, ${milliseconds(result.limitMemory.memoryAfterLoad)} MB after the same load.`,
        ]
      : []),
    table(
      ['tasks', 'start ms', 'MB at rest', 'MB after load', ...scenarios.map(([name]) => `first ${name}, ms`)],
      sizesOf(result).map((size) => {
        const { startMs, memoryAtRest, memoryAfterLoad, firstMs } = result.worlds[size];
        const first = scenarios.map(([name]) => milliseconds(firstMs[name]));
        return [size, milliseconds(startMs), milliseconds(memoryAtRest), milliseconds(memoryAfterLoad), ...first];
      }),
    ),
    table(['bytes a task, beside the record', 'row', 'six indexes', 'together'], bytes),
  ].join('\n\n');
}

function forks({ forks }) {
  const cell = ({ micros, bytes }) => `${digits(micros)} µs, ${(Math.max(0, bytes) / 1000).toFixed(1)} kB`;
  return table(
    ['a thousand worlds of', 'fork', 'first list', 'first write', 'next write', 'after ten writes', 'reset', 'structuredClone'],
    Object.entries(forks).map(([size, { fork, firstList, firstWrite, secondWrite, afterTen, cloneMicros, reset }]) => [
      size,
      ...[fork, firstList, firstWrite, secondWrite].map(cell),
      `${(afterTen.bytes / 1000).toFixed(1)} kB`,
      `${digits(reset.micros)} µs`,
      cloneMicros ? `${digits(cloneMicros / 1000)} ms` : '–',
    ]),
  );
}

function calls({ calls }) {
  const rows = Object.entries(calls).map(([name, { loopback, inProcess }]) => [
    name,
    digits(inProcess.micros),
    digits(loopback.micros),
    spread(inProcess.ofFirst),
  ]);
  return table(['call and read the answer', 'mock.fetch, µs', 'loopback fetch, µs', 'ratio'], rows);
}

function features({ features: { variants, traceMicros } }) {
  const rows = Object.entries(variants).map(([name, { micros, ofFirst }]) => [name, digits(micros), spread(ofFirst)]);
  const trace = `The why-trace costs nothing until somebody reads it; then ${digits(traceMicros)} µs an exchange, with all that the journal shows.`;
  return `${table(['mock.fetch of a list, µs', '', 'ratio'], rows)}\n\n${trace}`;
}

function suite({ suite: { inProcess, socket, farm } }) {
  return [
    table(
      ['the whole suite against a mock of its own', 'median ms', 'first run ms'],
      [
        ['in process', digits(inProcess.medianMs), digits(inProcess.firstMs)],
        ['over a socket', digits(socket.medianMs), digits(socket.firstMs)],
      ],
    ),
    `The mutant farm judges ${digits(farm.perMinute)} mutants a minute on one core (${farm.judged} of ${farm.fitting} sampled, ${farm.killed} killed).`,
  ].join('\n\n');
}

function profile({ profile: { scenario, size, micros, places, whole } }) {
  const cells = ({ name, share }) => [name, `${(100 * share).toFixed(1)} %`, (share * micros).toFixed(1)];
  const code = ({ name, share }) => cells({ name: `\`${name}\``, share });
  return [
    `${scenario}, ${size} tasks, ten connections: ${digits(micros)} µs of CPU a request under the profiler.`,
    table(['own time, by place', 'share', 'µs'], places.map(cells)),
    table(['our functions with all that they call', 'share', 'µs'], whole.slice(0, 16).map(code)),
  ].join('\n\n');
}

function dashboard({ dashboard, unopened }) {
  if (!dashboard) return 'The dashboard was not measured.';
  const pages = table(
    ['page', 'CPU µs', '100,000 tasks ÷ 100', '1,000 exchanges ÷ 100', 'kB'],
    Object.entries(dashboard).map(([name, { micros, ofTasks, ofJournal, bytes }]) => [
      name,
      digits(micros),
      spread(ofTasks),
      spread(ofJournal),
      digits(bytes / 1000),
    ]),
  );
  if (!unopened) return pages;
  const { start, memory, opened } = unopened;
  return `${pages}\n\nNever opened, beside the same build without it: start ${spread(start)}, memory ${spread(memory)}. Opened: the first page after ${milliseconds(opened.firstMs)} ms, ${digits(opened.megabytes)} MB more.`;
}

/** The parts of a report by name, in their order. */
export const SECTIONS = {
  how,
  bars,
  missed,
  throughput,
  growth,
  peers,
  adversarial,
  start,
  worlds,
  forks,
  calls,
  dashboard,
  features,
  suite,
  profile,
};

/** Parts that a quick run leaves out. */
const LEFT_OUT = { features: true, suite: true, profile: true };

export const allTables = (result) =>
  Object.entries(SECTIONS)
    .filter(([name]) => !(name in LEFT_OUT) || result[name])
    .map(([, section]) => section(result))
    .join('\n\n');
