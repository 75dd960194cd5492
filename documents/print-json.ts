// Prints JSON for a review: a field with its description is mostly one line.
const MAX_COLUMNS = 220;

const lineOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(lineOf).join(', ')}]`;
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${lineOf(one)}`);
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}';
};

/** @param before the columns that stand on the line already, or follow on it. */
const print = (value: unknown, indent: string, before: number): string => {
  const line = lineOf(value);
  if (typeof value !== 'object' || value === null || indent.length + before + line.length <= MAX_COLUMNS) return line;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Object.entries(value).map(([key, one]) => {
    const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    return `${deeper}${name}${print(one, deeper, name.length + 1)}`;
  });
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
};

export const printJson = (value: unknown): string => `${print(JSON.parse(JSON.stringify(value)), '', 0)}\n`;
