// How the checks spell the path of a record, a filter in a query and the ids of requirements.

export const at = (kind: 'projects' | 'tasks' | 'teams', id: unknown): string => `/${kind}/${encodeURIComponent(String(id))}`;

export const of = (field: string, value: string): string => `filter[${field}]=${encodeURIComponent(value)}`;

/** WM-LIST-003 and so on. */
export const numbered = (prefix: string, ...numbers: readonly (number | string)[]): string[] =>
  numbers.map((n) => `WM-${prefix}-${String(n).padStart(3, '0')}`);
