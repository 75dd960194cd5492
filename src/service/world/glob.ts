// Patterns: paths in which a star matches any characters, and classes of statuses.

/** Whether a text matches a pattern in which `*` matches any characters; linear in the text. */
export const globFits = (pattern: string, text: string): boolean => {
  const [head, ...parts] = pattern.split('*') as [string, ...string[]];
  if (parts.length === 0) return pattern === text;
  const tail = parts.pop()!;
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - tail.length;
};

/** A path below the base URL, in any spelling. */
const barePath = (path: string): string => path.replace(/^\/?v1(?=[/?]|$)/, '').replace(/^(?=[^/*])/, '/');

/** Whether a path matches a pattern, with or without `/v1`; a query is compared only if the pattern has one. */
export const globFitsPath = (pattern: string, path: string): boolean => {
  const wanted = barePath(pattern);
  return globFits(wanted, wanted.includes('?') ? barePath(path) : barePath(path).replace(/\?.*/s, ''));
};

/** @param wanted such as 404 or `4xx` */
export const statusFits = (wanted: string | number, status: number): boolean =>
  String(wanted) === String(status) || wanted === `${Math.floor(status / 100)}xx`;
