// Patterns of paths, in which a star stands for any characters.

/** Whether a text fits a pattern in which `*` stands for any characters; linear in the text. */
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
