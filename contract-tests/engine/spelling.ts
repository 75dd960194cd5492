// How the checks spell the path of a record, a filter in a query and the ids of requirements.

export const at = (kind: 'projects' | 'tasks' | 'teams', id: unknown): string => `/${kind}/${encodeURIComponent(String(id))}`;

export const of = (field: string, value: string): string => `filter[${field}]=${encodeURIComponent(value)}`;

/** The requirements of parts with their numbers: `LIST 3 7-9, EP 12`. */
export const clausesIn = (...texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => text.split(', '))
    .flatMap((part) => {
      const [prefix, ...numbers] = part.split(' ');
      return numbers.flatMap((range) => {
        const [first, last = first] = range.split('-').map(Number) as [number, number?];
        return Array.from({ length: last - first + 1 }, (_, i) => `WM-${prefix}-${String(first + i).padStart(3, '0')}`);
      });
    });
