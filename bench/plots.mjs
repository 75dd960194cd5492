// The plots of a result as SVG, without any library, readable on a light page and on a dark one.
import { times } from './format.mjs';

const WIDTH = 860;
/** Okabe and Ito's colours that stand out from white and from black alike. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#8a8a8a', '#56b4e9'];

const STYLE = `
  .back { fill: #ffffff } text { font: 12px system-ui, sans-serif; fill: #1f2328 } .small { font-size: 10.5px }
  .title { font-size: 14px; font-weight: 600 } .line { stroke: #d0d7de } .mark { stroke: #1f2328; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } text { fill: #e6edf3 } .line { stroke: #30363d } .mark { stroke: #e6edf3 }
  }`;

const escaped = (text) =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const round = (value) => Math.round(value * 10) / 10;

export const svg = (
  title,
  height,
  parts,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}
</style>
<rect class="back" width="${WIDTH}" height="${height}" rx="6"/>
${[text(16, 24, title, 'title'), ...parts].join('\n')}
</svg>
`;

const text = (x, y, content, kind = '', anchor = 'start') =>
  `<text x="${round(x)}" y="${round(y)}"${kind && ` class="${kind}"`}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escaped(content)}</text>`;
const line = (x1, y1, x2, y2, kind = 'line') =>
  `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
const bar = (x, y, width, height, colour) =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, width))}" height="${round(height)}" fill="${colour}"/>`;
const legend = (names, y) => {
  let x = 16;
  return names.flatMap((name, i) => {
    const at = x;
    x += 26 + name.length * 6.6;
    return [bar(at, y - 9, 10, 10, COLOURS[i % COLOURS.length]), text(at + 15, y, name, 'small')];
  });
};

/** Upright bars in groups, with dashed marks at some values. */
export function groupedBars(title, groups, series, { marks, most }) {
  const [left, top, height] = [44, 64, 200];
  const groupWidth = (WIDTH - left - 16) / groups.length;
  const barWidth = (groupWidth * 0.78) / series.length;
  const y = (value) => top + height - (height * Math.min(value, most)) / most;
  const ticks = Array.from({ length: Math.floor(most / 0.5) + 1 }, (_, i) => i * 0.5);
  return svg(title, top + height + 34, [
    ...legend(
      series.map(({ name }) => name),
      46,
    ),
    ...ticks.flatMap((tick) => [
      line(left, y(tick), WIDTH - 16, y(tick)),
      text(left - 6, y(tick) + 4, tick.toFixed(1), 'small', 'end'),
    ]),
    ...groups.flatMap((group, g) => [
      ...series.flatMap(({ values }, s) => {
        const x = left + g * groupWidth + groupWidth * 0.11 + s * barWidth;
        const value = values[g];
        if (!Number.isFinite(value)) return [];
        return [
          bar(x, y(value), barWidth - 3, top + height - y(value), COLOURS[s % COLOURS.length]),
          text(x + (barWidth - 3) / 2, y(value) - 4, value.toFixed(2), 'small', 'middle'),
        ];
      }),
      text(left + (g + 0.5) * groupWidth, top + height + 20, group, '', 'middle'),
    ]),
    ...marks.map((mark) => line(left, y(mark), WIDTH - 16, y(mark), 'mark')),
  ]);
}

/** Lying bars, one a row. */
export function lyingBars(title, rows, format) {
  const [left, top, step] = [250, 42, 24];
  const most = Math.max(...rows.map(({ value }) => value));
  const width = (value) => ((WIDTH - left - 170) * value) / most;
  return svg(title, top + rows.length * step + 14, [
    ...rows.flatMap(({ name, value, strong }, i) => [
      text(left - 8, top + i * step + 15, name, '', 'end'),
      bar(left, top + i * step + 3, width(value), step - 8, COLOURS[strong ? 0 : 5]),
      text(left + width(value) + 6, top + i * step + 15, format(value), 'small'),
    ]),
  ]);
}

/** Small panels of lines over sizes, both axes logarithmic. */
export function panels(title, list, { sizes, names, format }) {
  const [columns, top, panelHeight] = [3, 62, 190];
  const panelWidth = (WIDTH - 24) / columns;
  const values = list.flatMap(({ lines }) => Object.values(lines).flat()).filter(Number.isFinite);
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const draw = ({ name, lines }, place) => {
    const [x0, y0] = [12 + (place % columns) * panelWidth + 48, top + Math.floor(place / columns) * panelHeight + 22];
    const [width, height] = [panelWidth - 66, panelHeight - 58];
    const x = (i) => x0 + (width * i) / Math.max(1, sizes.length - 1);
    const y = (value) => y0 + height - (height * (Math.log10(value) - low)) / (high - low);
    const decades = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
    return [
      text(x0, y0 - 8, name),
      ...decades.flatMap((value) => [
        line(x0, y(value), x0 + width, y(value)),
        text(x0 - 6, y(value) + 4, format(value), 'small', 'end'),
      ]),
      ...sizes.map((size, i) => text(x(i), y0 + height + 16, size, 'small', 'middle')),
      ...names.flatMap((one, n) => {
        const points = (lines[one] ?? []).map((value, i) => [x(i), value]).filter(([, value]) => Number.isFinite(value));
        if (points.length === 0) return [];
        const path = points.map(([at, value], i) => `${i === 0 ? 'M' : 'L'}${round(at)} ${round(y(value))}`).join(' ');
        const colour = COLOURS[n % COLOURS.length];
        return [
          `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${n === 0 ? 3 : 1.6}"/>`,
          ...points.map(
            ([at, value]) => `<circle cx="${round(at)}" cy="${round(y(value))}" r="${n === 0 ? 3.4 : 2.4}" fill="${colour}"/>`,
          ),
        ];
      }),
    ];
  };
  return svg(title, top + Math.ceil(list.length / columns) * panelHeight + 6, [...legend(names, 46), ...list.flatMap(draw)]);
}

const sizesOf = (result) => Object.keys(result.worlds);

function throughput(result) {
  const names = Object.keys(result.scenarios);
  const series = sizesOf(result).map((size) => ({
    name: `${size} tasks`,
    values: names.map((name) => result.scenarios[name].sizes[size].ofLimit.median),
  }));
  const most = Math.ceil(Math.max(1, ...series.flatMap(({ values }) => values)) * 2 + 0.2) / 2;
  return groupedBars('Requests a second as a ratio to limit (c); dashed: the bar 0.8 and the aim 1.0', names, series, {
    marks: [0.8, 1],
    most,
  });
}

function growth(result) {
  const stateful = Object.keys(result.peers).filter((name) => result.peers[name].stateful);
  const list = Object.entries(result.scenarios).map(([name, row]) => {
    const of = (bySize) => sizesOf(result).map((size) => bySize?.[size]?.p50AloneMs);
    return {
      name,
      lines: { 'wm-mock': of(row.sizes), ...Object.fromEntries(stateful.map((peer) => [peer, of(row.peers[peer])])) },
    };
  });
  const names = ['wm-mock', ...stateful];
  const title = 'p50 of one connection in ms, by number of tasks (both axes logarithmic)';
  return panels(title, list, { sizes: sizesOf(result), names, format: (value) => String(value) });
}

const STARTS = {
  hello: 'Hono hello-world',
  bare: 'node:http hello-world',
  explicit: 'wm-mock, tasks written out',
  generated: 'wm-mock, tasks generated',
};

function start({ start: { servers } }) {
  const rows = Object.entries(servers)
    .map(([name, { medianMs, ofHello }]) => ({
      name: STARTS[name] ?? name.slice(5),
      value: medianMs,
      ofHello,
      strong: name === 'explicit' || name === 'generated',
    }))
    .sort((a, b) => a.value - b.value);
  const ratio = new Map(rows.map(({ value, ofHello }) => [value, times(ofHello.median)]));
  return lyingBars(
    'Spawn to first 200 with 1k tasks: median ms, and ratio to the Hono hello-world',
    rows,
    (value) => `${value.toFixed(0)} ms, ${ratio.get(value)}`,
  );
}

function profile({ profile: { scenario, size, micros, places } }) {
  const rows = places
    .filter(({ share }) => share >= 0.003)
    .map(({ name, share }) => ({ name, value: share * micros, strong: name.startsWith('wm-mock') }));
  return lyingBars(
    `Where the CPU time of one ${scenario} from ${size} tasks goes (µs)`,
    rows,
    (value) => `${value.toFixed(1)} µs, ${((100 * value) / micros).toFixed(0)} %`,
  );
}

export const PLOTS = { throughput, growth, start, profile };
