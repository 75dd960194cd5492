// How figures are written.
export const times = (value) => `×${value.toFixed(value < 0.095 ? 3 : value < 10 ? 2 : 0)}`;
export const spread = ({ median, low, high }) => `${times(median)} (${low.toFixed(2)}–${high.toFixed(2)})`;
export const digits = (value) => (value < 1 ? value.toFixed(2) : value < 10 ? value.toFixed(1) : value.toFixed(0));
export const milliseconds = (value) => (Number.isFinite(value) ? digits(value) : '–');
export const withUnit = (value, unit) => (unit === '×' ? times(value) : `${digits(value)} ${unit}`);
export const perSecond = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
export const latency = ({ p50, p99 }) => `${milliseconds(p50)} / ${milliseconds(p99)}`;
export function table(head, rows) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
